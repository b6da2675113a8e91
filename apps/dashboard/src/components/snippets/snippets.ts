import { aiSdk, anthropicJavascript, anthropicPython, curl, langchain, openaiJavascript, openaiPython } from './clients';
import { isPlain, type Snippet, type SnippetInput } from './request';

/** Runnable code, with the key in `KEY`. Omits AI SDK and LangChain for requests that they would write differently. */
export function snippetsFor(input: SnippetInput): readonly Snippet[] {
  const own = input.format === 'messages' ? anthropicSnippets(input) : openaiSnippets(input, input.format);
  return [{ id: 'curl', title: 'curl', code: curl(input), install: null, file: null }, ...own, ...(isPlain(input) ? frameworks(input) : [])];
}

function openaiSnippets(input: SnippetInput, format: 'chat' | 'responses'): readonly Snippet[] {
  return [
    { id: 'openai-js', title: 'OpenAI SDK, JavaScript', code: openaiJavascript(input, format), install: 'npm install openai', file: 'request.mjs' },
    { id: 'openai-python', title: 'OpenAI SDK, Python', code: openaiPython(input, format), install: 'pip install openai', file: 'request.py' },
  ];
}

function anthropicSnippets(input: SnippetInput): readonly Snippet[] {
  return [
    { id: 'anthropic-js', title: 'Anthropic SDK, JavaScript', code: anthropicJavascript(input), install: 'npm install @anthropic-ai/sdk', file: 'request.mjs' },
    { id: 'anthropic-python', title: 'Anthropic SDK, Python', code: anthropicPython(input), install: 'pip install anthropic', file: 'request.py' },
  ];
}

const PACKAGES: Readonly<Record<SnippetInput['format'], readonly [aiSdk: string, langchain: string]>> = {
  chat: ['@ai-sdk/openai-compatible', '@langchain/openai'],
  messages: ['@ai-sdk/anthropic', '@langchain/anthropic'],
  responses: ['@ai-sdk/openai', '@langchain/openai'],
};

function frameworks(input: SnippetInput): readonly Snippet[] {
  const [aiSdkPackage, langchainPackage] = PACKAGES[input.format];
  return [
    { id: 'ai-sdk', title: 'AI SDK', code: aiSdk(input), install: `npm install ai ${aiSdkPackage}`, file: 'request.mjs' },
    { id: 'langchain', title: 'LangChain', code: langchain(input), install: `npm install ${langchainPackage} @langchain/core`, file: 'request.mjs' },
  ];
}
