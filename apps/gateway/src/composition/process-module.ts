import { openMailTransport } from '@tollgate/adapters-mail';
import { Argon2Hasher, RandomIds, RandomSecretTokens, Sha256Hasher, SystemClock } from '@tollgate/adapters-node';
import { mailPollMilliseconds } from '../background/mail-delivery.js';
import { gatewaySettings, settingsFrom } from '../gateway/gateway-settings.js';
import { createLog, DISCARDED_LOG, standardErrorLog } from '../observability/create-log.js';
import { serviceModule, services } from './services.js';

/** What belongs to this process: its settings, log, clock and ids. */
export const processModule = serviceModule((make) => {
  make(services.configuration, ({ environment }) => settingsFrom(environment));
  make(services.settings, ({ configuration, log }) => gatewaySettings(configuration, log));
  make(services.resources, () => new AsyncDisposableStack());
  make(services.logWriter, ({ configuration }) => standardErrorLog(configuration.logFormat));
  make(services.log, ({ configuration, logWriter }) => createLog(configuration.logLevel, logWriter ?? DISCARDED_LOG));
  make(services.clock, () => new SystemClock());
  make(services.leaseClock, () => 'database' as const);
  make(services.elapsed, () => () => performance.now());
  make(services.ids, () => new RandomIds());
  make(services.processId, ({ ids }) => ids.processId());
  make(services.preparation, () => () => Promise.resolve());
  make(services.hasher, () => new Sha256Hasher());
  make(services.passwordHasher, () => new Argon2Hasher());
  make(services.secretTokens, () => new RandomSecretTokens());
  make(services.mail, ({ configuration: { mail, database } }) => ({ openTransport: () => openMailTransport(mail), pollMilliseconds: mailPollMilliseconds(database) }));
});
