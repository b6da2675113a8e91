import type { ProviderEvent, ReportedPrompt } from '@tollgate/core';
import type { BlockWriter, ReplyOddities } from './block-writer.js';
import type { ReplyAssembler, ReplyState } from './reply-assembler.js';

/** Decodes one reply's bytes to provider events. */
export abstract class ReplyReader {
  constructor(protected readonly writer: BlockWriter, protected readonly assembler: ReplyAssembler) {}

  /** Bytes split anywhere. Throws for invalid data; earlier events can still be taken. */
  abstract read(bytes: Uint8Array): void;

  /** Throws if the reply is incomplete. */
  abstract end(): void;

  get state(): ReplyState {
    return this.assembler.state;
  }

  /** The server's count; `null` until stated. */
  get statedPrompt(): ReportedPrompt | null {
    return this.assembler.statedPrompt;
  }

  /** The events since the last call. */
  take(): readonly ProviderEvent[] {
    return this.writer.take();
  }

  /** Output bytes since the last call, held ones included. */
  takeOutputBytes(): number {
    return this.writer.takeOutputBytes();
  }

  /** Since the last call; `null` for none. */
  takeOddities(): ReplyOddities | null {
    return this.writer.takeOddities();
  }
}
