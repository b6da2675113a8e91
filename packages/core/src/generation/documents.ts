import type { ContentBlock, Conversation, DocumentFile } from './conversation.js';

/** Includes those in tool results. */
export function imageCountOf({ turns }: Conversation): number {
  let count = 0;
  for (const { content } of turns) for (const block of content) count += imagesIn(block);
  return count;
}

function imagesIn(block: ContentBlock): number {
  if (block.type === 'tool-result') return block.content.filter(({ type }) => type === 'image').length;
  return block.type === 'image' ? 1 : 0;
}

function addDocuments(blocks: readonly ContentBlock[], documents: DocumentFile[]): void {
  for (const block of blocks) {
    if (block.type === 'tool-result') addDocuments(block.content, documents);
    else if (block.type === 'text' && block.document !== undefined) documents.push(block.document);
  }
}

/** Includes those in tool results. */
export function documentsOf({ turns }: Conversation): readonly DocumentFile[] {
  const documents: DocumentFile[] = [];
  for (const { role, content } of turns) if (role === 'user') addDocuments(content, documents);
  return documents;
}

const TOKENS_PER_DOCUMENT = 2_000;
const BYTES_PER_DOCUMENT_TOKEN = 100;
/** Estimate for a document by URL. */
const TOKENS_PER_LINKED_DOCUMENT = 10_000;
const BYTES_PER_BASE64_CHARACTER = 3 / 4;

/** Does not inspect the content. */
export function estimateDocuments(documents: readonly DocumentFile[]): number {
  let tokens = 0;
  for (const { source } of documents) {
    const read = source.kind === 'url' ? TOKENS_PER_LINKED_DOCUMENT : Math.ceil(source.data.length * BYTES_PER_BASE64_CHARACTER / BYTES_PER_DOCUMENT_TOKEN);
    tokens += TOKENS_PER_DOCUMENT + read;
  }
  return tokens;
}
