export { agentSnippets } from './agents';
export type { Snippet, SnippetInput, SnippetMessage } from './request';
export { SnippetCode, SnippetTabs } from './snippet-tabs';
export { snippetsFor } from './snippets';
