import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** The header by which a test names a request to the gateways of its process. */
export const NUMBER_HEADER = 'x-test-number';

const CHANNEL = 'http.server.request.start';

type OnWritten = (number: number, written: string) => void;

interface RequestStart {
  readonly request: IncomingMessage;
  readonly socket: Socket;
}

/**
 * Keeps what the gateways of this process hand to the network for each numbered request, whether or not its client ever gets it.
 * What is written to a connection that is known to be closed is not kept, since it goes nowhere. Stop it after the test.
 */
export class RelayedOutput {
  readonly #written = new Map<number, string>();

  /** `onWritten` is told everything that was written so far, each time there is more. */
  constructor(private readonly onWritten: OnWritten) {
    subscribe(CHANNEL, this.#start);
  }

  /** Everything that was written for a request, headers and framing included. */
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

  /** A client of these tests sends one request over a connection, so everything on it belongs to that. */
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
