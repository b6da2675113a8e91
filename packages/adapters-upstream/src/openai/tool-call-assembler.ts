import type { JsonObject } from '@tollgate/core';
import type { BlockWriter } from '../reply/block-writer.js';
import { ToolCallIds } from '../reply/tool-call-ids.js';
import { UpstreamFailure } from '../upstream/upstream-failure.js';
import { ArgumentsText } from './arguments-text.js';
import { writeOpaque } from './opaque-fields.js';
import type { ToolCallFragment } from './tool-call-fragment.js';

interface PartialToolCall {
  upstreamId: string | null;
  name: string | null;
  extra: JsonObject | null;
  readonly argumentsText: ArgumentsText;
  /** Arguments that are known but not written yet. */
  unwritten: string;
  opened: boolean;
}

/** Writes the first call as it arrives. Other calls wait for the end, so that clients receive one call after the other. */
export class ToolCallAssembler {
  readonly #calls: PartialToolCall[] = [];
  readonly #bySlot = new Map<number, PartialToolCall>();
  readonly #ids: ToolCallIds;

  constructor(private readonly writer: BlockWriter, newToolCallId: () => string) {
    this.#ids = new ToolCallIds(newToolCallId);
  }

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

  /** Writes all calls to their end. Throws `UpstreamFailure` for a call without a name. */
  finish(): void {
    for (const call of this.#calls) {
      if (call.name === null) throw new UpstreamFailure('malformed-reply', 'the upstream sent a tool call without a name');
      call.unwritten += call.argumentsText.finish();
      this.#write(call);
      this.writer.close();
    }
  }

  #callFor(fragment: ToolCallFragment): PartialToolCall {
    const known = this.#bySlot.get(fragment.slot);
    if (known !== undefined && !beginsAnother(known, fragment)) return known;
    const call: PartialToolCall = { upstreamId: null, name: null, extra: null, argumentsText: new ArgumentsText(), unwritten: '', opened: false };
    this.#calls.push(call);
    this.#bySlot.set(fragment.slot, call);
    return call;
  }

  #open({ upstreamId, extra }: PartialToolCall, name: string): void {
    if (extra !== null) writeOpaque(this.writer, extra, 'call-extra');
    this.writer.open({ type: 'tool-call', id: this.#ids.next(upstreamId), name });
  }

  #write(call: PartialToolCall): void {
    if (call.name === null) return;
    if (!call.opened) this.#open(call, call.name);
    call.opened = true;
    this.writer.write(call.unwritten);
    call.unwritten = '';
  }
}

/**
 * True if a fragment begins another call although it has the index of a known one: some servers number every call 0. With another id and a name, it
 * does. With another id and no name, it does only if it brings arguments after complete ones: some servers give each fragment an id of its own, also
 * an empty last fragment. With a name and no other id, it does after complete arguments, if the name differs or another object of arguments begins.
 */
function beginsAnother({ upstreamId, name, argumentsText }: PartialToolCall, fragment: ToolCallFragment): boolean {
  if (fragment.id !== null && upstreamId !== null && fragment.id !== upstreamId) {
    return fragment.name !== null || (argumentsText.isComplete && fragment.argumentsText.trim() !== '');
  }
  if (fragment.name === null || name === null || !argumentsText.isComplete) return false;
  return fragment.name !== name || argumentsText.differsFrom(fragment.argumentsText);
}
