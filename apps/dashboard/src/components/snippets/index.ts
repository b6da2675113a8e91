export { agentSnippets } from './agents';
export type { Snippet, SnippetInput, SnippetMessage, SnippetTurn } from './request';
export { SnippetCode, SnippetTabs } from './snippet-tabs';
export { snippetsFor } from './snippets';
