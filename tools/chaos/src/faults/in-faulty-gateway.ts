import { Server } from 'node:net';

// Loaded into a gateway by --import. It needs no package, so that it works in an older checkout too.

const ABANDONED_EXIT_CODE = 130;

/** How far the gateway's clock is ahead, in milliseconds. */
const ahead = Number(process.env['CHAOS_CLOCK_AHEAD_MILLISECONDS'] ?? '0');
if (ahead !== 0) {
  const RealDate = Date;
  const now = (): number => RealDate.now() + ahead;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget) as Date,
    apply: () => new RealDate(now()).toString(),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver) as unknown),
  });
}

const prototype = Server.prototype as unknown as { listen: (...given: unknown[]) => Server };
const listen = prototype.listen;
prototype.listen = function listenAndTell(this: Server, ...given) {
  const server = listen.apply(this, given);
  server.once('listening', () => {
    const address = server.address();
    if (address !== null && typeof address === 'object') process.send?.({ port: address.port });
  });
  return server;
};
// The gateway ends when the chaos run does, but the channel alone does not keep it alive.
process.once('disconnect', () => process.exit(ABANDONED_EXIT_CODE));
process.channel?.unref();
