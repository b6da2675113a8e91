import { type Command, Redis, type RedisOptions } from 'ioredis';

/**
 * A connection whose commands fail when no answer has come in time, and not when one has come that this process was too busy to read:
 * the driver's own bound looks at the clock before it looks at the socket.
 */
export class PatientRedis extends Redis {
  constructor(url: string, private readonly patienceMilliseconds: number, options: RedisOptions & { readonly replyMapping?: 'legacy' }) {
    super(url, options);
  }

  override sendCommand(...sent: Parameters<Redis['sendCommand']>): unknown {
    const [command] = sent;
    const timer = setTimeout(() => this.#lookOnceMore(command), this.patienceMilliseconds);
    const stop = (): void => clearTimeout(timer);
    command.promise.then(stop, stop);
    return super.sendCommand(...sent);
  }

  /** By the time an immediate runs, everything that had arrived has been read. */
  #lookOnceMore(command: Command): void {
    setImmediate(() => {
      if (!command.isResolved) command.reject(new Error('the command was not answered in time'));
    });
  }
}
