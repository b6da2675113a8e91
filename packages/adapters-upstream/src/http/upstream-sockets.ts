import { buildConnector } from 'undici';
import { type Clock, GatewayError } from '@tollgate/core';

const RETRY_AFTER_SECONDS = 1;

/** No descriptor is left for the call of a request. */
export function noSocketLeft(): GatewayError {
  return new GatewayError('server_busy', 'The service has too many requests in progress. Please try again.', { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

export interface SocketPorts {
  readonly clock: Clock;
  /** Any number may be opened unless given. */
  readonly sockets?: UpstreamSockets;
}

/** The sockets to all upstreams of a process: in use, kept for the next call, and being connected. */
export class UpstreamSockets {
  #open = 0;
  #hasRoom: () => boolean = () => true;

  get open(): number {
    return this.#open;
  }

  /** `hasRoom` tells whether one more may be opened. Without it, any number may. */
  boundBy(hasRoom: () => boolean): void {
    this.#hasRoom = hasRoom;
  }

  hasRoom(): boolean {
    return this.#hasRoom();
  }

  /** Connects as undici does, and counts. */
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
