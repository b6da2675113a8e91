import type { BlockWriter } from '../reply/block-writer.js';
import { UpstreamFailure } from '../upstream-failure.js';
import { ArgumentsText } from './arguments-text.js';
import type { ToolCallFragment } from './tool-call-fragment.js';

/** A call as far as it has arrived. */
interface PartialToolCall {
  upstreamId: string | null;
  name: string | null;
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
    call.unwritten += call.argumentsText.add(fragment.argumentsText);
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
    const call: PartialToolCall = { upstreamId: null, name: null, argumentsText: new ArgumentsText(), unwritten: '', opened: false };
    this.#calls.push(call);
    this.#bySlot.set(slot, call);
    return call;
  }

  #write(call: PartialToolCall): void {
    if (call.name === null) return;
    if (!call.opened) this.writer.open({ type: 'tool-call', id: call.upstreamId ?? this.newToolCallId(), name: call.name });
    call.opened = true;
    this.writer.write(call.unwritten);
    call.unwritten = '';
  }
}
