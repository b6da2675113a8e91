import { buildConnector } from 'undici';
import { type Clock, GatewayError } from '@tollgate/core';

const RETRY_AFTER_SECONDS = 1;

/** Refusal for a process that has no file descriptor left for a socket. */
export function noSocketLeft(): GatewayError {
  return new GatewayError('server_busy', 'The service has too many requests in progress. Please try again.', { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

export interface SocketPorts {
  readonly clock: Clock;
  /** Counter of the process's sockets; by default their number is unlimited. */
  readonly sockets?: UpstreamSockets;
}

/** Counts the sockets of a process to all upstreams: active, idle and connecting. */
export class UpstreamSockets {
  #open = 0;
  #hasRoom: () => boolean = () => true;

  get open(): number {
    return this.#open;
  }

  /** Sets the test for room for one more socket. Without this call, the number is unlimited. */
  boundBy(hasRoom: () => boolean): void {
    this.#hasRoom = hasRoom;
  }

  hasRoom(): boolean {
    return this.#hasRoom();
  }

  /** undici's connector, which also counts the sockets that it opens. */
  connector(options: buildConnector.BuildOptions): buildConnector.connector {
    const connect = buildConnector(options);
    return (target, callback) => {
      this.#open += 1;
      connect(target, (...result) => {
        const [, socket] = result;
        if (socket === null || socket === undefined) this.#open -= 1;
        else socket.once('close', () => {
          this.#open -= 1;
        });
        callback(...result);
      });
    };
  }
}
