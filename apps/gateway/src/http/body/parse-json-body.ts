import { isUtf8 } from 'node:buffer';
import {
  FieldSearch, type FoundList, GatewayError, ItemPlaces, type JsonPiece, type JsonSurvey, keepWriting, parseJsonExactly, surveyJson, WrittenItems, WrittenTexts,
} from '@tollgate/core';
import { DOCUMENT_FIELDS, MAX_MESSAGES, MESSAGES_FIELD, RECURRING_FIELD } from '@tollgate/wire-kit';
import { JSON_MAXIMUM_DEPTH, JSON_MAXIMUM_ITEMS, JSON_MAXIMUM_KEYS } from './body-limits.js';
import { RecurringLists, SHORTEST_RECURRING_CHARACTERS } from './tool-list-cache.js';

const BYTE_ORDER_MARK = 0xfeff;
/** The schema of a tool is this deep in a request, and nothing that is passed on as it was written is higher. */
const DOCUMENT_DEPTH = 4;
/** Stands in the text for a list that needs no parsing; being a list itself, it may be followed by just what the other may be followed by. */
const STAND_IN = '[]';
/** Leaving a list out takes a copy of all the rest, which is worth it where the rest is at most this many times as long. */
const LONGEST_REST = 10;

/** A sound body within its bounds has no more: each key with its value, each item, and the outermost value. */
const MAXIMUM_TOKENS = 2 * JSON_MAXIMUM_KEYS + JSON_MAXIMUM_ITEMS + 1;

const recurringLists = new RecurringLists();

function invalid(message: string): GatewayError {
  return new GatewayError('invalid_request', message);
}

function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

/** What is looked for in a text. */
interface Searches {
  readonly tools: FieldSearch;
  readonly messages: FieldSearch;
  readonly items: ItemPlaces;
}

function searchesIn(text: string): Searches | null {
  if (text.length < SHORTEST_RECURRING_CHARACTERS) return null;
  const tools = new FieldSearch(RECURRING_FIELD, (where, start) => recurringLists.recall(where, start));
  const messages = new FieldSearch(MESSAGES_FIELD, () => null);
  return { tools, messages, items: new ItemPlaces(messages, MAX_MESSAGES) };
}

/** Parses a text of which a list was found in a field of the outermost object, without parsing the list if that is known and worth it. */
function parseWithList(text: string, { start, end, known }: FoundList): unknown {
  const isLeftOut = known !== null && text.length <= (end - start) * (LONGEST_REST + 1);
  const parsed = JSON.parse(isLeftOut ? `${text.slice(0, start)}${STAND_IN}${text.slice(end)}` : text) as Record<string, unknown>;
  if (known === null) recurringLists.note(text.slice(start, end), parsed[RECURRING_FIELD]);
  else parsed[RECURRING_FIELD] = known.value;
  return parsed;
}

/** Cuts pieces out of a text. */
interface Cutter {
  readonly text: (from: number, to: number) => string;
  readonly piece: (from: number, to: number) => JsonPiece;
}

/**
 * Of ASCII, must not hold the text as well: bytes are no burden to the garbage collector while a request waits, a text is copied again and again.
 */
function cutterOf(text: string, bytes: Buffer): Cutter {
  if (text.length === bytes.length) return cutterOfAscii(bytes);
  const cut = (from: number, to: number): string => text.slice(from, to);
  return { text: cut, piece: cut };
}

function cutterOfAscii(bytes: Buffer): Cutter {
  return { text: (from, to) => bytes.toString('latin1', from, to), piece: (from, to) => bytes.subarray(from, to) };
}

function parseSurveyed(text: string, list: FoundList | 'exactly' | null): unknown {
  try {
    if (list === 'exactly') return parseJsonExactly(text, DOCUMENT_FIELDS);
    return list === null ? JSON.parse(text) : parseWithList(text, list);
  } catch (cause) {
    throw new GatewayError('invalid_request', 'The request body is not valid JSON.', { cause });
  }
}

/** How the messages were written. What is in their list beside objects and lists is no message, and not among the places. */
function writtenItems(value: unknown, items: ItemPlaces, cutter: Cutter): WrittenItems | null {
  const values: unknown = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[MESSAGES_FIELD] : null;
  const places = Array.isArray(values) ? items.placesOf(values.length) : null;
  return places === null ? null : new WrittenItems(values as readonly unknown[], places, cutter.piece);
}

/** Whether parsing changes nothing that counts. Throws `invalid_request` for a text whose value would be too deep or take too much memory. */
function printsTheSame(survey: JsonSurvey): boolean {
  if (!survey.withinDepth) throw invalid(`The request body nests arrays and objects deeper than ${JSON_MAXIMUM_DEPTH} levels.`);
  if (survey.keys > JSON_MAXIMUM_KEYS) throw invalid(`The request body has more than ${JSON_MAXIMUM_KEYS} keys in its objects.`);
  if (survey.tokens > MAXIMUM_TOKENS) throw invalid('The request body is not valid JSON, or has more keys or list items than are read.');
  if (survey.items > JSON_MAXIMUM_ITEMS) throw invalid(`The request body has more than ${JSON_MAXIMUM_ITEMS} items in its lists.`);
  return survey.printsTheSame;
}

/**
 * The JSON value a body holds. Throws `invalid_request` for anything that is not UTF-8, not JSON, nested too deep or of too many keys or items.
 * Tools that came before may be the same frozen value as before, and how messages and long texts were written is kept with the value.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) throw invalid('The request body is empty; it must be a JSON object.');
  if (!isUtf8(bytes)) throw invalid('The request body is not valid UTF-8.');
  const text = textOf(bytes);
  const searches = searchesIn(text);
  const cutter = cutterOf(text, bytes);
  const texts = new WrittenTexts(cutter.text);
  const survey = surveyJson(text, {
    maximumDepth: JSON_MAXIMUM_DEPTH,
    maximumTokens: MAXIMUM_TOKENS,
    watchedDepth: DOCUMENT_DEPTH,
    searches: searches === null ? [] : [searches.tools, searches.messages],
    items: searches?.items ?? null,
    texts,
  });
  const value = parseSurveyed(text, printsTheSame(survey) ? searches?.tools.found ?? null : 'exactly');
  if (searches !== null) keepWriting(value, { texts, items: writtenItems(value, searches.items, cutter) });
  return value;
}
