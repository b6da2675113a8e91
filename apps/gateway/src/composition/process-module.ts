import { serviceModule } from '@tollgate/composition';
import { mailAppearance } from '@tollgate/adapters-config';
import { openMailTransport } from '@tollgate/adapters-mail';
import { Argon2Hasher } from '@tollgate/adapters-node';
import { MAIL_POLL_MILLISECONDS } from '../background/mail-delivery.js';
import { gatewaySettings, settingsFrom } from '../gateway/gateway-settings.js';
import { createLog, DISCARDED_LOG, standardErrorLog } from '../observability/create-log.js';
import { services } from './services.js';

const { environment, configuration, log, logWriter, ids } = services;

export const processModule = serviceModule((make) => {
  make(configuration, { environment }, (parts) => settingsFrom(parts.environment));
  make(services.settings, { configuration, log }, (parts) => gatewaySettings(parts.configuration, parts.log));
  make(services.resources, {}, () => new AsyncDisposableStack());
  make(logWriter, { configuration }, (parts) => standardErrorLog(parts.configuration.logFormat));
  make(log, { configuration, logWriter }, (parts) => createLog(parts.configuration.logLevel, parts.logWriter ?? DISCARDED_LOG));
  make(services.leaseClock, {}, () => 'database' as const);
  make(services.elapsed, {}, () => () => performance.now());
  make(services.processId, { ids }, (parts) => parts.ids.processId());
  make(services.preparation, {}, () => () => undefined);
  make(services.passwordHasher, {}, () => new Argon2Hasher());
  make(services.mailAppearance, { settings: services.settings }, (parts) => mailAppearance(parts.settings.brand));
  make(services.mail, { configuration, appearance: services.mailAppearance }, ({ configuration: { mail }, appearance: { picture } }) => ({ openTransport: () => openMailTransport(mail, picture), pollMilliseconds: MAIL_POLL_MILLISECONDS }));
});
