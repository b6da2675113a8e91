import { aiSdk, anthropicJavascript, anthropicPython, curl, langchain, openaiJavascript, openaiPython } from './clients';
import { isPlain, type Snippet, type SnippetInput } from './request';

/**
 * A request as code of several clients, ready to run with the key in the environment variable `KEY`.
 * The AI SDK and LangChain are left out where turns are no plain texts or further fields are set: they write those in their own ways.
 */
export function snippetsFor(input: SnippetInput): readonly Snippet[] {
  const own = input.format === 'chat' ? chatSnippets(input) : messagesSnippets(input);
  return [{ id: 'curl', title: 'curl', code: curl(input), install: null, file: null }, ...own, ...(isPlain(input) ? frameworks(input) : [])];
}

function chatSnippets(input: SnippetInput): readonly Snippet[] {
  return [
    { id: 'openai-js', title: 'OpenAI SDK, JavaScript', code: openaiJavascript(input), install: 'npm install openai', file: 'request.mjs' },
    { id: 'openai-python', title: 'OpenAI SDK, Python', code: openaiPython(input), install: 'pip install openai', file: 'request.py' },
  ];
}

function messagesSnippets(input: SnippetInput): readonly Snippet[] {
  return [
    { id: 'anthropic-js', title: 'Anthropic SDK, JavaScript', code: anthropicJavascript(input), install: 'npm install @anthropic-ai/sdk', file: 'request.mjs' },
    { id: 'anthropic-python', title: 'Anthropic SDK, Python', code: anthropicPython(input), install: 'pip install anthropic', file: 'request.py' },
  ];
}

function frameworks(input: SnippetInput): readonly Snippet[] {
  const chat = input.format === 'chat';
  return [
    { id: 'ai-sdk', title: 'AI SDK', code: aiSdk(input), install: `npm install ai ${chat ? '@ai-sdk/openai-compatible' : '@ai-sdk/anthropic'}`, file: 'request.mjs' },
    { id: 'langchain', title: 'LangChain', code: langchain(input), install: `npm install ${chat ? '@langchain/openai' : '@langchain/anthropic'} @langchain/core`, file: 'request.mjs' },
  ];
}
