import { type AccountId, type ImageBlock, isSignatureForm, type JsonObject, type ReasoningSeal, type SignatureForm, type TextBlock, type ThinkingBlock } from '@tollgate/core';
import { decodeFile, decodeImageUrl, decodeListOf, decodeObject, type Decoder, decodeString, type Fields, invalidField, required } from '@tollgate/wire-kit';

/** What a part turns into, by the part's `type`. */
type PartDecoders<Block> = Readonly<Record<string, (part: Fields) => Block>>;

function decodeTextPart(part: Fields): TextBlock {
  return { type: 'text', text: required(part, 'text', decodeString) };
}

/** A refusal that an assistant gave earlier is text it said. */
function decodeRefusalPart(part: Fields): TextBlock {
  return { type: 'text', text: required(part, 'refusal', decodeString) };
}

/** `detail` says how closely to look and has no canonical meaning. */
function decodeImagePart(part: Fields): ImageBlock {
  return { type: 'image', source: required(part, 'image_url', decodeImageUrl) };
}

function refusePart(part: Fields): never {
  throw invalidField(part.place, 'type', 'names a kind of content that no model here can read');
}

const TEXTS: PartDecoders<TextBlock> = { input_text: decodeTextPart, output_text: decodeTextPart, text: decodeTextPart };
const FILES: PartDecoders<TextBlock> = { input_file: decodeFile };
const UNREADABLE: PartDecoders<never> = { input_audio: refusePart };

/** Content: a string stands for one text part. Parts of other types are refused or left out. */
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

/** What a user said. */
export const decodeUserContent = decodeContentOf<TextBlock | ImageBlock>({ ...TEXTS, input_image: decodeImagePart, ...FILES, ...UNREADABLE }, 'refused');
export const decodeInstructionContent = decodeContentOf<TextBlock>(TEXTS, 'refused');
export const decodeAssistantContent = decodeContentOf<TextBlock>({ ...TEXTS, refusal: decodeRefusalPart }, 'refused');
/** What a tool returned. New kinds of parts come with releases of agents, and a refusal would end the conversation for good. */
export const decodeOutput = decodeContentOf<TextBlock | ImageBlock>({ ...TEXTS, input_image: decodeImagePart, ...FILES, ...UNREADABLE }, 'left-out');

/** Whether a block says something; an empty text does not. */
export function saysSomething(block: TextBlock | ImageBlock): boolean {
  return block.type !== 'text' || block.text !== '';
}

/** What `encrypted_content` holds as JSON. */
export interface SealedReasoning {
  readonly model: string;
  readonly text: string;
  readonly signature: string | null;
  /** Absent for the usual one. */
  readonly form?: SignatureForm | undefined;
}

/** Opens what was sealed for the same account; `null` for anything else. */
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

/** The texts of a list of parts. Reasoning moves between providers, so what cannot be read is left out rather than refused. */
function textIn(parts: unknown): string {
  if (!Array.isArray(parts)) return '';
  const texts = (parts as readonly unknown[]).map((part) =>
    (typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string' ? part.text : ''));
  return texts.filter((text) => text !== '').join('\n\n');
}

/** Reads what was sealed; `null` for what cannot be read. */
export type OpenSeal = (sealed: string) => SealedReasoning | null;

/** The thinking in a reasoning item: as it was sealed, else what it shows; `null` for an item that says nothing. */
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
