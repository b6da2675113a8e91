import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Numbers a request. */
export const NUMBER_HEADER = 'x-test-number';

const CHANNEL = 'http.server.request.start';

type OnWritten = (number: number, written: string) => void;

interface RequestStart {
  readonly request: IncomingMessage;
  readonly socket: Socket;
}

/** Records what gateways of this process write for each numbered request, received or not, except to closed connections. Stop it after the test. */
export class RelayedOutput {
  readonly #written = new Map<number, string>();

  /** Called with everything written so far, at each change. */
  constructor(private readonly onWritten: OnWritten) {
    subscribe(CHANNEL, this.#start);
  }

  /** The bytes written for a request, with headers and framing. */
  of(number: number): string {
    return this.#written.get(number) ?? '';
  }

  stop(): void {
    unsubscribe(CHANNEL, this.#start);
  }

  readonly #start = (message: unknown): void => {
    const { request, socket } = message as RequestStart;
    const number = request.headers[NUMBER_HEADER];
    if (typeof number === 'string') this.#listen(Number(number), socket);
  };

  /** A connection carries one request. */
  #listen(number: number, socket: Socket): void {
    const write = socket.write.bind(socket) as (...written: readonly unknown[]) => boolean;
    socket.write = (...written: readonly unknown[]): boolean => {
      const [bytes] = written;
      if (socket.writable) this.#keep(number, typeof bytes === 'string' ? bytes : Buffer.from(bytes as Uint8Array).toString('utf8'));
      return write(...written);
    };
  }

  #keep(number: number, text: string): void {
    const written = this.of(number) + text;
    this.#written.set(number, written);
    this.onWritten(number, written);
  }
}
