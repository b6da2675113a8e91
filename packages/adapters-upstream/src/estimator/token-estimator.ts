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

/** Where the weights of outputs and of prompts begin among the pairs. */
const OUTPUT_PAIRS = 0;
const PROMPT_PAIRS = TABLE_SIZE;

function weightsByPairs(weights: Uint8Array): Uint8Array {
  const pairs = new Uint8Array(TABLE_SIZE);
  for (let before = 0; before < CODES; before += 1) {
    const row = (KIND_OF_CODE[before] as number) << ROW_SHIFT;
    for (let code = 0; code < CODES; code += 1) pairs[before | (code << BITS_PER_CHARACTER)] = weights[row | (KIND_OF_CODE[code] as number)] as number;
  }
  return pairs;
}

function bothTables(): Uint8Array {
  const tables = new Uint8Array(2 * TABLE_SIZE);
  tables.set(weightsByPairs(WEIGHTS), OUTPUT_PAIRS);
  tables.set(weightsByPairs(PROMPT_WEIGHTS), PROMPT_PAIRS);
  return tables;
}

/**
 * What an ASCII character adds after another, at `before | code << 8`: as the two stand in the memory of a little-endian machine.
 * Both tables are one constant, and indexes are masked, so that V8 needs no check of their bounds: a table handed in takes an eighth longer.
 */
const PAIRS: Uint8Array = bothTables();

/** A text of ASCII in memory, as bytes and as whole words in the order of a little-endian machine. */
export interface AsciiText {
  readonly bytes: Uint8Array;
  readonly words: Int32Array;
  readonly length: number;
}

/**
 * Units that all but the first character add, each after the one before it, by the weights of one table. Four characters are read at once:
 * this is the part of an estimate that takes time.
 */
function unitsOfAscii({ bytes, words, length }: AsciiText, table: number): number {
  const start = table & PROMPT_PAIRS;
  const wholeWords = (length - 1) >> 2;
  let units = 0;
  let word = words[0] as number;
  for (let position = 1; position <= wholeWords; position += 1) {
    const next = words[position] as number;
    units += (PAIRS[start + (word & 0xffff)] as number) + (PAIRS[start + ((word >>> 8) & 0xffff)] as number)
      + (PAIRS[start + (word >>> 16)] as number) + (PAIRS[start + (((word >>> 24) | (next << BITS_PER_CHARACTER)) & 0xffff)] as number);
    word = next;
  }
  for (let position = wholeWords << 2; position < length - 1; position += 1) {
    units += PAIRS[start + (((bytes[position] as number) | ((bytes[position + 1] as number) << BITS_PER_CHARACTER)) & 0xffff)] as number;
  }
  return units;
}

/** UTF-16 code units that are written to the scratch at once; in UTF-8 each takes three bytes at most. */
const PIECE_CODES = 16_384;
const MAX_BYTES_PER_CODE = 3;
/** A shorter text is weighed before it would be written. Only the order of bytes that nearly every machine has is read there. */
const MIN_WRITTEN = endianness() === 'LE' ? 48 : Infinity;

/** What characters weigh: by the kinds of two neighbours, and the table of two neighbours of ASCII. */
export interface TokenScale {
  readonly weights: Uint8Array;
  readonly pairs: number;
}

/** For outputs, which are cut off when they are counted too high: as a vocabulary counts that joins digits. */
export const OUTPUT_SCALE: TokenScale = { weights: WEIGHTS, pairs: OUTPUT_PAIRS };
/** For prompts: nearer to vocabularies that give each digit a token. */
export const PROMPT_SCALE: TokenScale = { weights: PROMPT_WEIGHTS, pairs: PROMPT_PAIRS };

/** Where a text is written to be read as numbers, which is several times as fast as asking a string for each of its characters. */
const scratch = Buffer.from(new ArrayBuffer(PIECE_CODES * MAX_BYTES_PER_CODE));
const scratchWords = new Int32Array(scratch.buffer);
const scratchCodes = new Uint16Array(scratch.buffer);

/**
 * Estimates the tokens of a text that arrives in pieces: every character adds what one of its kind adds after one of the kind before it.
 * Nothing is looked up but tables and nothing is decided, so that any text takes the same time for each of its characters.
 * The total does not depend on where the pieces were cut, and never falls.
 */
export class TextTokenCounter implements TokenCounter {
  readonly #weights: Uint8Array;
  readonly #pairs: number;
  #units = 0;
  /** Where the weights of what follows stand. */
  #row = 0;
  /** Both before the text that was added last. */
  #unitsBefore = 0;
  #rowBefore = 0;

  constructor({ weights, pairs }: TokenScale = OUTPUT_SCALE) {
    this.#weights = weights;
    this.#pairs = pairs;
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
    // Weights are whole numbers and never negative.
    return Math.ceil(this.#units / UNITS_PER_TOKEN) as TokenCount;
  }

  /** How much of a text can be added before the units pass a bound. */
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

  /** In UTF-8, a text that takes as many bytes as it has code units is ASCII. */
  #addPiece(piece: string): void {
    if (scratch.write(piece) === piece.length) this.#addAscii(piece.length);
    else this.#addCodes(scratch.write(piece, 'utf16le') / Uint16Array.BYTES_PER_ELEMENT);
  }

  #addAscii(length: number): void {
    this.#addCode(scratch[0] as number);
    this.#units += unitsOfAscii({ bytes: scratch, words: scratchWords, length }, this.#pairs);
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

/** What an image costs, whatever its size: the gateway never looks at images. */
const TOKENS_PER_IMAGE = 1_000;
/** What a chat template writes around each of these. */
const TOKENS_PER_TURN = 4;
const TOKENS_PER_TOOL_CALL = 12;
/** What a template writes once where there are tools: how to call them. */
const TOKENS_FOR_TOOLS = 70;
/** The names of a tool's fields, and what encloses it. */
const TOKENS_PER_TOOL = 24;
/** Templates reprint schemas, with spaces or a line for each key: so many tokens for each that the client wrote. */
const SCHEMA_TOKENS_PER_TOKEN = 1.4;
/** What opens the reply. */
const TOKENS_PER_REQUEST = 3;

/** Estimates tokens by kinds of characters in one pass: no vocabulary, no pattern matching, no text that takes long. */
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

/** Once for each list, since the same tools come with one request after the other. */
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
