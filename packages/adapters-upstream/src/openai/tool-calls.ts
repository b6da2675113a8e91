import type { JsonObject, JsonValue } from '@tollgate/core';
import { jsonDocument } from '@tollgate/json-text';
import type { BlockWriter } from '../reply/block-writer.js';
import { UpstreamFailure } from '../upstream/upstream-failure.js';
import { asNumber, asObject, asText } from '../reply/json-values.js';
import { writeOpaque } from './opaque-fields.js';

/** What may come before a nested object, so that what looks like a repetition of the beginning may be its value. */
const OPENS_A_VALUE = /[:[,]\s*$/;

/**
 * The arguments of one call, put together from fragments.
 * Some servers repeat all the arguments so far in every fragment, and arguments may hold, nested, their own beginning:
 * `{"a":` and then `{"a":1}` is either. What may be either is kept back until the call ends or a fragment tells.
 */
export class ArgumentsText {
  #text = '';
  /** The latest fragments, as long as each of them begins with all of the text. */
  #kept: string[] = [];

  /** Gives what is certain to come next. */
  add(fragment: string): string {
    if (fragment === '') return '';
    if (this.#repeats(fragment)) {
      this.#kept.push(fragment);
      return '';
    }
    const added = this.#kept.join('') + fragment;
    this.#kept = [];
    this.#text += added;
    return added;
  }

  /** Gives what was kept back, once nothing more will come. */
  finish(): string {
    const last = this.#kept.at(-1);
    if (last === undefined) return '';
    const joined = this.#kept.join('');
    return this.#isRepetition(joined, last) ? last.slice(this.#text.length) : joined;
  }

  /** The lengths are compared first, so that growing arguments are not put in one piece and looked through again for every short fragment. */
  #repeats(fragment: string): boolean {
    return fragment.length >= this.#text.length && this.#text.startsWith('{') && fragment.startsWith(this.#text);
  }

  /** Only one of the two readings can be whole; of arguments that were cut off, the likelier one is taken. */
  #isRepetition(joined: string, last: string): boolean {
    if (isJson(last)) return true;
    if (isJson(this.#text + joined)) return false;
    return !OPENS_A_VALUE.test(this.#text);
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A call as far as it has arrived. */
interface PartialToolCall {
  upstreamId: string | null;
  name: string | null;
  extra: JsonObject | null;
  readonly argumentsText: ArgumentsText;
  /** The end of the arguments that has not been written. */
  unwritten: string;
  opened: boolean;
}

/**
 * Puts the fragments of tool calls in order: the first call is written as it arrives, the others wait for its end,
 * so that parallel calls which a server interleaves never interleave behind it.
 */
export class ToolCallAssembler {
  readonly #calls: PartialToolCall[] = [];
  readonly #bySlot = new Map<number, PartialToolCall>();

  constructor(private readonly writer: BlockWriter, private readonly newToolCallId: () => string) {}

  get count(): number {
    return this.#calls.length;
  }

  add(fragment: ToolCallFragment): void {
    const call = this.#callFor(fragment);
    call.upstreamId ??= fragment.id;
    call.name ??= fragment.name;
    call.extra ??= fragment.extra;
    call.unwritten += call.argumentsText.add(fragment.argumentsText);
    this.writer.count(fragment.argumentsText);
    if (call === this.#calls[0]) this.#write(call);
  }

  /** Writes the calls that waited. Throws `UpstreamFailure` when a call never got its name. */
  finish(): void {
    for (const call of this.#calls) {
      if (call.name === null) throw new UpstreamFailure('malformed-reply', 'the upstream sent a tool call without a name');
      call.unwritten += call.argumentsText.finish();
      this.#write(call);
      this.writer.close();
    }
  }

  /** A new slot is a new call, and so is another id in a known slot: some servers number every call 0. */
  #callFor({ slot, id }: ToolCallFragment): PartialToolCall {
    const known = this.#bySlot.get(slot);
    if (known !== undefined && (id === null || known.upstreamId === null || known.upstreamId === id)) return known;
    const call: PartialToolCall = { upstreamId: null, name: null, extra: null, argumentsText: new ArgumentsText(), unwritten: '', opened: false };
    this.#calls.push(call);
    this.#bySlot.set(slot, call);
    return call;
  }

  #open({ upstreamId, extra }: PartialToolCall, name: string): void {
    writeOpaque(this.writer, extra, 'call-extra');
    this.writer.open({ type: 'tool-call', id: upstreamId ?? this.newToolCallId(), name });
  }

  #write(call: PartialToolCall): void {
    if (call.name === null) return;
    if (!call.opened) this.#open(call, call.name);
    call.opened = true;
    this.writer.write(call.unwritten);
    call.unwritten = '';
  }
}

/** One piece of one tool call, as a delta or a whole message brings it. */
interface ToolCallFragment {
  /** The call's number; its place in the list where the server gave none. */
  readonly slot: number;
  /** `null` where absent or empty. */
  readonly id: string | null;
  readonly name: string | null;
  /** `extra_content`, which is to come back with the call. */
  readonly extra: JsonObject | null;
  readonly argumentsText: string;
}

export function decodeToolCallFragment(value: JsonValue, position: number): ToolCallFragment | null {
  const fragment = asObject(value);
  if (fragment === null) return null;
  const call = asObject(fragment['function']);
  return {
    slot: asNumber(fragment['index']) ?? position,
    id: asText(fragment['id']) || null,
    name: asText(call?.['name']) || null,
    extra: asObject(fragment['extra_content']),
    argumentsText: argumentsTextOf(call?.['arguments']),
  };
}

/** Some servers send the arguments as an object rather than as its text. */
export function argumentsTextOf(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  const object = asObject(value);
  return object === null ? '' : jsonDocument(object).text;
}
