import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Header with the number by which the test finds a request. */
export const NUMBER_HEADER = 'x-test-number';

const CHANNEL = 'http.server.request.start';

type OnWritten = (number: number, written: string) => void;

interface RequestStart {
  readonly request: IncomingMessage;
  readonly socket: Socket;
}

/** Records what the gateways of this process write for each numbered request while its connection is open. Stop it after the test. */
export class RelayedOutput {
  readonly #written = new Map<number, string>();

  /** `onWritten` receives everything written so far for a request, whenever that grows. */
  constructor(private readonly onWritten: OnWritten) {
    subscribe(CHANNEL, this.#start);
  }

  /** Everything written for a request, with headers and framing. */
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

  /** Wraps the socket of one request; clients use a connection only once. */
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
