import type { Conversation, DocumentFile, UserBlock } from './conversation.js';

/** Documents and images of all user turns, including those in tool results. */
export interface Attachments {
  readonly documents: DocumentFile[];
  imageCount: number;
}

function addAttachments(blocks: readonly UserBlock[], attachments: Attachments): void {
  for (const block of blocks) {
    if (block.type === 'tool-result') addAttachments(block.content, attachments);
    else if (block.type === 'image') attachments.imageCount += 1;
    else if (block.document !== undefined) attachments.documents.push(block.document);
  }
}

export function attachmentsOf({ turns }: Conversation): Readonly<Attachments> {
  const attachments: Attachments = { documents: [], imageCount: 0 };
  for (const { role, content } of turns) if (role === 'user') addAttachments(content, attachments);
  return attachments;
}

const TOKENS_PER_DOCUMENT = 2_000;
const BYTES_PER_DOCUMENT_TOKEN = 100;
/** Estimated tokens of a document that is given by its URL, in addition to `TOKENS_PER_DOCUMENT`. */
const TOKENS_PER_LINKED_DOCUMENT = 10_000;
const BYTES_PER_BASE64_CHARACTER = 3 / 4;

/** Estimates the model tokens of the documents without inspecting their content. */
export function estimateDocuments(documents: readonly DocumentFile[]): number {
  let tokens = 0;
  for (const { source } of documents) {
    const read = source.kind === 'url' ? TOKENS_PER_LINKED_DOCUMENT : Math.ceil(source.data.length * BYTES_PER_BASE64_CHARACTER / BYTES_PER_DOCUMENT_TOKEN);
    tokens += TOKENS_PER_DOCUMENT + read;
  }
  return tokens;
}
