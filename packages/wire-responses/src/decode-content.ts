import { type AccountId, type ImageBlock, isSignatureForm, type JsonObject, type ReasoningSeal, type SignatureForm, type TextBlock, type ThinkingBlock } from '@tollgate/core';
import { decodeContentOf, decodeFile, decodeImageUrl, decodeRefusalPart, decodeTextPart, type Fields, invalidField, type PartDecoders, required } from '@tollgate/wire-kit';

/** Decodes an image; its `detail` is ignored. */
function decodeImagePart(part: Fields): ImageBlock {
  return { type: 'image', source: required(part, 'image_url', decodeImageUrl) };
}

function refusePart(part: Fields): never {
  throw invalidField(part.place, 'type', 'names a kind of content that no model here can read');
}

const TEXTS: PartDecoders<TextBlock> = { input_text: decodeTextPart, output_text: decodeTextPart, text: decodeTextPart };
const FILES: PartDecoders<TextBlock> = { input_file: decodeFile };
const UNREADABLE: PartDecoders<never> = { input_audio: refusePart };

export const decodeUserContent = decodeContentOf<TextBlock | ImageBlock>({ ...TEXTS, input_image: decodeImagePart, ...FILES, ...UNREADABLE });
export const decodeInstructionContent = decodeContentOf<TextBlock>(TEXTS);
export const decodeAssistantContent = decodeContentOf<TextBlock>({ ...TEXTS, refusal: decodeRefusalPart });
/** Decodes a call's output. Unknown parts are omitted: new types appear with releases of agents, and refusing one would end the conversation. */
export const decodeOutput = decodeContentOf<TextBlock | ImageBlock>({ ...TEXTS, input_image: decodeImagePart, ...FILES, ...UNREADABLE }, 'left-out');

/** The content of `encrypted_content`. */
export interface SealedReasoning {
  readonly model: string;
  readonly text: string;
  readonly signature: string | null;
  /** Form of the signature; absent for the default. */
  readonly form?: SignatureForm | undefined;
}

/** Opens reasoning that was sealed for this account; `null` for any other text. */
export function openReasoning(seal: ReasoningSeal, accountId: AccountId, sealed: string): SealedReasoning | null {
  const opened = seal.open(accountId, sealed);
  if (opened === null) return null;
  const { model, text, signature, form } = objectOf(opened);
  if (typeof model !== 'string' || typeof text !== 'string') return null;
  return { model, text, signature: typeof signature === 'string' ? signature : null, ...(isSignatureForm(form) ? { form } : {}) };
}

function objectOf(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value as JsonObject : {};
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    return {};
  }
}

/** The visible text. Unreadable parts are omitted, because clients carry reasoning between providers. */
function textIn(parts: unknown): string {
  if (!Array.isArray(parts)) return '';
  const texts = (parts as readonly unknown[]).map((part) =>
    (typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string' ? part.text : ''));
  return texts.filter((text) => text !== '').join('\n\n');
}

/** Opens sealed reasoning; `null` if it is unreadable. */
export type OpenSeal = (sealed: string) => SealedReasoning | null;

/** The thinking in the sealed reasoning or, if that cannot be opened, in the visible text; `null` if it is empty. */
export function thinkingIn({ values }: Fields, open: OpenSeal): ThinkingBlock | null {
  const { encrypted_content: sealed, summary, content } = values;
  const opened = typeof sealed === 'string' && sealed !== '' ? open(sealed) : null;
  if (opened !== null) {
    const { text, signature, model, form } = opened;
    return text === '' && signature === null ? null : { type: 'thinking', text, signature, signedBy: model, ...(form === undefined ? {} : { form }) };
  }
  const shown = textIn(summary);
  const text = shown === '' ? textIn(content) : shown;
  return text === '' ? null : { type: 'thinking', text, signature: null };
}
