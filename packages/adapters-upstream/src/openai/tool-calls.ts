import type { JsonObject, JsonValue } from '@tollgate/core';
import { jsonDocument } from '@tollgate/json-text';
import type { BlockWriter } from '../reply/block-writer.js';
import { UpstreamFailure } from '../upstream/upstream-failure.js';
import { asNumber, asObject, asText } from '../reply/json-values.js';
import { writeOpaque } from './opaque-fields.js';

/** A nested object may follow, so an apparent repetition may be a value. */
const OPENS_A_VALUE = /[:[,]\s*$/;

/**
 * Arguments of one call from fragments. Some servers repeat all arguments so far in each fragment, and arguments may contain their own
 * beginning: `{"a":` followed by `{"a":1}` is ambiguous. Ambiguous text is held until the end or until a fragment decides.
 */
export class ArgumentsText {
  #text = '';
  /** Fragments that all begin with the whole text. */
  #kept: string[] = [];

  /** Returns what is certain. */
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

  /** Returns the rest at the end. */
  finish(): string {
    const last = this.#kept.at(-1);
    if (last === undefined) return '';
    const joined = this.#kept.join('');
    return this.#isRepetition(joined, last) ? last.slice(this.#text.length) : joined;
  }

  /** Compares lengths first, to stay linear for short fragments. */
  #repeats(fragment: string): boolean {
    return fragment.length >= this.#text.length && this.#text.startsWith('{') && fragment.startsWith(this.#text);
  }

  /** Only one reading is valid JSON; truncated arguments use the likelier one. */
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

interface PartialToolCall {
  upstreamId: string | null;
  name: string | null;
  extra: JsonObject | null;
  readonly argumentsText: ArgumentsText;
  /** Tail that was not written yet. */
  unwritten: string;
  opened: boolean;
}

/** Writes the first call as it arrives; parallel calls wait for their end, so that interleaved calls do not interleave downstream. */
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

  /** Writes the waiting calls. Throws `UpstreamFailure` for a call without a name. */
  finish(): void {
    for (const call of this.#calls) {
      if (call.name === null) throw new UpstreamFailure('malformed-reply', 'the upstream sent a tool call without a name');
      call.unwritten += call.argumentsText.finish();
      this.#write(call);
      this.writer.close();
    }
  }

  /** A new slot or a new id is a new call: some servers number every call 0. */
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

/** From a delta or a whole message. */
interface ToolCallFragment {
  /** `index`, or the position in the list. */
  readonly slot: number;
  /** `null` if absent or empty. */
  readonly id: string | null;
  readonly name: string | null;
  /** `extra_content`, sent back with the call. */
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

/** Some servers send an object instead of a string. */
export function argumentsTextOf(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  const object = asObject(value);
  return object === null ? '' : jsonDocument(object).text;
}
