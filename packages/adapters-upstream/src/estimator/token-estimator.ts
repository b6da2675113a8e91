import { endianness } from 'node:os';
import {
  type ContentBlock, type GenerationRequest, type JsonDocument, type OutputSchema, type TokenCount, tokenCount, type TokenCounter, type TokenEstimator, type Tool, wholeCharacters,
} from '@tollgate/core';
import { oncePer } from '@tollgate/json-text';
import { wordsInOpaque } from '../openai/opaque-fields.js';
import { KIND_OF_CODE } from './character-kinds.js';
import { PROMPT_WEIGHTS, ROW_SHIFT, UNITS_PER_TOKEN, WEIGHTS } from './token-weights.js';

const CODES = 0x80;
const BITS_PER_CHARACTER = 8;
const TABLE_SIZE = 1 << (2 * BITS_PER_CHARACTER);

/** Bits that no ASCII character has; set in both characters of a pair, they select the weights for prompts. */
const PROMPT_MARK = 0x8080;
const PROMPT_MARKS = PROMPT_MARK | (PROMPT_MARK << (2 * BITS_PER_CHARACTER));
const NO_MARKS = 0;

function weightsByPairs(): Uint8Array {
  const pairs = new Uint8Array(TABLE_SIZE);
  for (let before = 0; before < CODES; before += 1) {
    const row = (KIND_OF_CODE[before] as number) << ROW_SHIFT;
    for (let code = 0; code < CODES; code += 1) {
      const pair = before | (code << BITS_PER_CHARACTER);
      const weight = row | (KIND_OF_CODE[code] as number);
      pairs[pair] = WEIGHTS[weight] as number;
      pairs[pair | PROMPT_MARK] = PROMPT_WEIGHTS[weight] as number;
    }
  }
  return pairs;
}

/**
 * The weights of ASCII pairs, at `before | code << 8`, the order in little-endian memory. A constant with masked indexes spares V8 the
 * bounds checks: a table passed as an argument takes an eighth longer, and an offset added to each index a fifth.
 */
const PAIRS: Uint8Array = weightsByPairs();

/** ASCII in memory, as bytes and as little-endian words. */
export interface AsciiText {
  readonly bytes: Uint8Array;
  readonly words: Int32Array;
  readonly length: number;
}

/** Weight of all characters but the first. Reads four characters at a time: this is the hot loop of an estimate. */
function unitsOfAscii({ bytes, words, length }: AsciiText, marks: number): number {
  const wholeWords = (length - 1) >> 2;
  let units = 0;
  let word = (words[0] as number) | marks;
  for (let position = 1; position <= wholeWords; position += 1) {
    const next = (words[position] as number) | marks;
    units += (PAIRS[word & 0xffff] as number) + (PAIRS[(word >>> 8) & 0xffff] as number)
      + (PAIRS[word >>> 16] as number) + (PAIRS[((word >>> 24) | (next << BITS_PER_CHARACTER)) & 0xffff] as number);
    word = next;
  }
  for (let position = wholeWords << 2; position < length - 1; position += 1) {
    units += PAIRS[((bytes[position] as number) | ((bytes[position + 1] as number) << BITS_PER_CHARACTER) | marks) & 0xffff] as number;
  }
  return units;
}

/** Code units written to the buffer at a time; at most three bytes each in UTF-8. */
const PIECE_CODES = 16_384;
const MAX_BYTES_PER_CODE = 3;
/**
 * Minimum length of a text that is estimated from bytes: for a shorter one, writing the bytes takes longer than it saves. Big-endian machines never
 * do this.
 */
const MIN_WRITTEN = endianness() === 'LE' ? 48 : Infinity;

/** A table of weights, and the marks that select it in `PAIRS`. */
export interface TokenScale {
  readonly weights: Uint8Array;
  readonly marks: number;
}

/** Scale for outputs, which are cut off if overestimated. Fits vocabularies that join digits into one token. */
export const OUTPUT_SCALE: TokenScale = { weights: WEIGHTS, marks: NO_MARKS };
/** Scale for prompts, closer to vocabularies that have one token per digit. */
export const PROMPT_SCALE: TokenScale = { weights: PROMPT_WEIGHTS, marks: PROMPT_MARKS };

/** Texts are read from this buffer, because reading bytes is several times as fast as `charCodeAt`. */
const scratch = Buffer.from(new ArrayBuffer(PIECE_CODES * MAX_BYTES_PER_CODE));
const scratchWords = new Int32Array(scratch.buffer);
const scratchCodes = new Uint16Array(scratch.buffer);

/**
 * Estimates the tokens of a text that arrives in pieces. Each character adds a weight that is given by its kind and that of the character before
 * it, in constant time. The total does not depend on how the text is split, and `add` never lowers it.
 */
export class TextTokenCounter implements TokenCounter {
  readonly #weights: Uint8Array;
  readonly #marks: number;
  #units = 0;
  /** Row of the previous character's kind in the weight table. */
  #row = 0;
  /** Units of all texts that were added before the last one. */
  #unitsBefore = 0;
  #rowBefore = 0;

  constructor({ weights, marks }: TokenScale = OUTPUT_SCALE) {
    this.#weights = weights;
    this.#marks = marks;
  }

  add(text: string): void {
    this.#unitsBefore = this.#units;
    this.#rowBefore = this.#row;
    if (text.length < MIN_WRITTEN) {
      for (let position = 0; position < text.length; position += 1) this.#addCode(text.charCodeAt(position));
      return;
    }
    for (let from = 0; from < text.length; from += PIECE_CODES) this.#addPiece(text.slice(from, from + PIECE_CODES));
  }

  clipLast(text: string, tokens: number): number {
    this.#units = this.#unitsBefore;
    this.#row = this.#rowBefore;
    const length = this.#lengthWithin(text, tokens * UNITS_PER_TOKEN);
    this.add(text.slice(0, length));
    return length;
  }

  get tokens(): TokenCount {
    // Weights are non-negative integers.
    return Math.ceil(this.#units / UNITS_PER_TOKEN) as TokenCount;
  }

  /** Length of the longest prefix with which the total stays within `mostUnits`. */
  #lengthWithin(text: string, mostUnits: number): number {
    let units = this.#units;
    let row = this.#row;
    for (let position = 0; position < text.length; position += 1) {
      const kind = KIND_OF_CODE[text.charCodeAt(position)] as number;
      units += this.#weights[row | kind] as number;
      row = kind << ROW_SHIFT;
      if (units > mostUnits) return wholeCharacters(text, position);
    }
    return text.length;
  }

  /** Adds a piece; it is ASCII if it has as many UTF-8 bytes as code units. */
  #addPiece(piece: string): void {
    if (scratch.write(piece) === piece.length) this.#addAscii(piece.length);
    else this.#addCodes(scratch.write(piece, 'utf16le') / Uint16Array.BYTES_PER_ELEMENT);
  }

  #addAscii(length: number): void {
    this.#addCode(scratch[0] as number);
    this.#units += unitsOfAscii({ bytes: scratch, words: scratchWords, length }, this.#marks);
    this.#row = (KIND_OF_CODE[scratch[length - 1] as number] as number) << ROW_SHIFT;
  }

  #addCodes(length: number): void {
    const weights = this.#weights;
    let units = this.#units;
    let row = this.#row;
    for (let position = 0; position < length; position += 1) {
      const kind = KIND_OF_CODE[scratchCodes[position] as number] as number;
      units += weights[row | kind] as number;
      row = kind << ROW_SHIFT;
    }
    this.#units = units;
    this.#row = row;
  }

  #addCode(code: number): void {
    const kind = KIND_OF_CODE[code] as number;
    this.#units += this.#weights[this.#row | kind] as number;
    this.#row = kind << ROW_SHIFT;
  }
}

/** Tokens of an image of any size, since the gateway never reads images. */
const TOKENS_PER_IMAGE = 1_000;
/** Tokens that a chat template adds per turn. */
const TOKENS_PER_TURN = 4;
const TOKENS_PER_TOOL_CALL = 12;
/** Tokens of the instructions that a template writes once if there are tools. */
const TOKENS_FOR_TOOLS = 70;
/** Tokens of a tool's field names and brackets. */
const TOKENS_PER_TOOL = 24;
/** Growth of a schema in templates, which print it with spaces or one line per key. */
const SCHEMA_TOKENS_PER_TOKEN = 1.4;
/** Tokens that a template writes to open the reply. */
const TOKENS_PER_REQUEST = 3;

/** Estimates by character kinds in one pass, without a vocabulary or patterns. */
export class LinearTokenEstimator implements TokenEstimator {
  estimatePrompt({ conversation, tools }: GenerationRequest): TokenCount {
    let tokens = TOKENS_PER_REQUEST;
    if (conversation.system.length > 0) tokens += TOKENS_PER_TURN;
    for (const block of conversation.system) tokens += tokensOfText(block.text);
    for (const turn of conversation.turns) {
      tokens += TOKENS_PER_TURN;
      for (const block of turn.content) tokens += tokensOfBlock(block);
    }
    if (tools.length > 0) tokens += tokensOfTools(tools);
    return tokenCount(tokens);
  }

  estimateSchema({ name, description, schema }: OutputSchema): TokenCount {
    return tokenCount(tokensOfText(name ?? '') + tokensOfText(description ?? '') + tokensOfSchema(schema));
  }

  startCounter(): TokenCounter {
    return new TextTokenCounter();
  }
}

function tokensOfText(text: string): number {
  const counter = new TextTokenCounter(PROMPT_SCALE);
  counter.add(text);
  return counter.tokens;
}

function tokensOfBlock(block: ContentBlock): number {
  switch (block.type) {
    case 'text': return tokensOfText(block.text);
    case 'thinking': return Math.max(tokensOfText(block.text), tokensOfText(wordsInOpaque(block)));
    case 'image': return TOKENS_PER_IMAGE;
    case 'tool-call': return TOKENS_PER_TOOL_CALL + tokensOfText(block.name) + tokensOfText(block.argumentsJson);
    case 'tool-result': {
      let tokens = TOKENS_PER_TURN;
      for (const part of block.content) tokens += tokensOfBlock(part);
      return tokens;
    }
  }
}

/** Caches the tokens per list object: the parser returns the same object while an agent repeats its tools. */
const tokensOfTools = oncePer((tools: readonly Tool[]) => {
  let tokens = TOKENS_FOR_TOOLS;
  for (const tool of tools) tokens += tokensOfTool(tool);
  return tokens;
});

function tokensOfTool({ name, description, inputSchema }: Tool): number {
  return TOKENS_PER_TOOL + tokensOfText(name) + tokensOfText(description ?? '') + (inputSchema === null ? 0 : tokensOfSchema(inputSchema));
}

function tokensOfSchema({ text }: JsonDocument): number {
  return Math.ceil(tokensOfText(text) * SCHEMA_TOKENS_PER_TOKEN);
}
