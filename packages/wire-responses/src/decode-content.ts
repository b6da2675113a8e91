import { type AccountId, type ImageBlock, isSignatureForm, type JsonObject, type ReasoningSeal, type SignatureForm, type TextBlock, type ThinkingBlock } from '@tollgate/core';
import { decodeFile, decodeImageUrl, decodeListOf, decodeObject, type Decoder, decodeString, type Fields, invalidField, required } from '@tollgate/wire-kit';

/** Decoders of content parts, by their `type`. */
type PartDecoders<Block> = Readonly<Record<string, (part: Fields) => Block>>;

function decodeTextPart(part: Fields): TextBlock {
  return { type: 'text', text: required(part, 'text', decodeString) };
}

/** Decodes an earlier refusal as text. */
function decodeRefusalPart(part: Fields): TextBlock {
  return { type: 'text', text: required(part, 'refusal', decodeString) };
}

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

/** Decodes content; a string is one text part. `others` says whether unknown parts are refused or omitted. */
function decodeContentOf<Block>(decoders: PartDecoders<Block>, others: 'refused' | 'left-out'): Decoder<readonly (Block | TextBlock)[]> {
  const types = Object.keys(decoders).map((type) => `'${type}'`).join(', ');
  const decodeParts = decodeListOf<Block | null>((value, within, key) => {
    const part = decodeObject(value, within, key);
    const type = required(part, 'type', decodeString);
    const decode = Object.hasOwn(decoders, type) ? decoders[type] : undefined;
    if (decode !== undefined) return decode(part);
    if (others === 'refused') throw invalidField(part.place, 'type', `must be one of ${types} here`);
    return null;
  });
  return (value, within, key) => {
    if (typeof value === 'string') return [{ type: 'text', text: value }];
    if (!Array.isArray(value)) throw invalidField(within, key, 'must be a string or an array of parts');
    return decodeParts(value, within, key).filter((block) => block !== null);
  };
}

export const decodeUserContent = decodeContentOf<TextBlock | ImageBlock>({ ...TEXTS, input_image: decodeImagePart, ...FILES, ...UNREADABLE }, 'refused');
export const decodeInstructionContent = decodeContentOf<TextBlock>(TEXTS, 'refused');
export const decodeAssistantContent = decodeContentOf<TextBlock>({ ...TEXTS, refusal: decodeRefusalPart }, 'refused');
/** Decodes a call's output. Unknown parts are omitted: new types appear with releases of agents, and refusing one would end the conversation. */
export const decodeOutput = decodeContentOf<TextBlock | ImageBlock>({ ...TEXTS, input_image: decodeImagePart, ...FILES, ...UNREADABLE }, 'left-out');

/** False if the block is an empty text. */
export function saysSomething(block: TextBlock | ImageBlock): boolean {
  return block.type !== 'text' || block.text !== '';
}

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
