import { connect, type Socket } from 'node:net';

export interface SmtpServerPlace {
  readonly host: string;
  readonly port: number;
}

/** Opens the sockets of a transport, so that the transport can close those in use as well; nodemailer's pool leaves them open. */
export class SmtpSockets {
  readonly #open = new Set<Socket>();

  constructor(private readonly place: SmtpServerPlace, private readonly connectMilliseconds: number) {}

  connect(): Promise<Socket> {
    const socket = connect(this.place);
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => socket.destroy(timeoutError()), this.connectMilliseconds);
      socket.once('error', reject);
      socket.once('close', () => {
        clearTimeout(timer);
        reject(closedError());
      });
      socket.once('connect', () => {
        clearTimeout(timer);
        socket.off('error', reject);
        resolve(socket);
      });
    });
  }

  destroyAll(): void {
    for (const socket of this.#open) socket.destroy();
  }
}

function timeoutError(): Error {
  return Object.assign(new Error('the server did not accept a connection in time'), { code: 'ETIMEDOUT' });
}

function closedError(): Error {
  return Object.assign(new Error('the connection was closed'), { code: 'ECONNECTION' });
}
