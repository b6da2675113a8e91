import { ContainerModule } from 'inversify';
import { readSettings } from '@tollgate/adapters-config';
import { RandomIds, Sha256Hasher, SystemClock } from '@tollgate/adapters-node';
import type { DestinationStream } from 'pino';
import { createLog, standardErrorLog } from '../observability/log.js';
import { StartRefused } from '../http/server/listening.js';
import { gatewaySettings } from './gateway-settings.js';
import { services } from './services.js';

const DISCARDED: DestinationStream = { write: () => undefined };

/** What belongs to this process: its settings, log, clock and ids. */
export const processModule = new ContainerModule(({ bind }) => {
  bind(services.configuration).toDynamicValue((context) => {
    const reading = readSettings(context.get(services.environment));
    if ('problems' in reading) throw new StartRefused(reading.problems);
    return reading.settings;
  });
  bind(services.settings).toDynamicValue((context) => gatewaySettings(context.get(services.configuration), context.get(services.log)));
  bind(services.resources).toDynamicValue(() => new AsyncDisposableStack());
  bind(services.logWriter).toDynamicValue((context) => standardErrorLog(context.get(services.configuration).logFormat));
  bind(services.log).toDynamicValue((context) => createLog(context.get(services.configuration).logLevel, context.get(services.logWriter) ?? DISCARDED));
  bind(services.clock).toDynamicValue(() => new SystemClock());
  bind(services.elapsed).toConstantValue(() => performance.now());
  bind(services.ids).toDynamicValue(() => new RandomIds());
  bind(services.processId).toDynamicValue((context) => context.get(services.ids).processId());
  bind(services.hasher).toDynamicValue(() => new Sha256Hasher());
});
