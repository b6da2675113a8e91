import type { JsonObject } from '@tollgate/core';
import type { BlockWriter } from '../reply/block-writer.js';
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

  /** Writes all calls to their end. Throws `UpstreamFailure` for a call without a name. */
  finish(): void {
    for (const call of this.#calls) {
      if (call.name === null) throw new UpstreamFailure('malformed-reply', 'the upstream sent a tool call without a name');
      call.unwritten += call.argumentsText.finish();
      this.#write(call);
      this.writer.close();
    }
  }

  /** The call of a fragment. A new slot or a new id begins a new call: some servers number every call 0. */
  #callFor({ slot, id }: ToolCallFragment): PartialToolCall {
    const known = this.#bySlot.get(slot);
    if (known !== undefined && (id === null || known.upstreamId === null || known.upstreamId === id)) return known;
    const call: PartialToolCall = { upstreamId: null, name: null, extra: null, argumentsText: new ArgumentsText(), unwritten: '', opened: false };
    this.#calls.push(call);
    this.#bySlot.set(slot, call);
    return call;
  }

  #open({ upstreamId, extra }: PartialToolCall, name: string): void {
    if (extra !== null) writeOpaque(this.writer, extra, 'call-extra');
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
