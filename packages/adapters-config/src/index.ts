export type { CatalogueFile, CatalogueReload } from './catalogue/catalogue-file.js';
export * from './catalogue/loaded-catalogue.js';
export * from './catalogue/open-catalogue.js';
export { makeSecretFile, readSecretFile, type SecretFileReading } from './settings/secret-file.js';
export { type DashboardSettings, isLoopbackName, type MailDestination, type MailSenderSetting } from './settings/dashboard-settings.js';
export { outboxFileOf, seenEntriesFileOf } from './settings/outbox-file.js';
export { type DatabaseLocation, databaseLocation, type RedisLocation } from './settings/variable-schemas.js';
export { type Environment, ENVIRONMENT_FILE_NAME, readSettings, type SecretSettings, type SecretSource, type Settings, type SettingsReading, unknownNamesIn, type UpstreamServer, VARIABLE_NAMES, withEnvironmentFile } from './settings/settings.js';
export { LOG_LEVELS, VARIABLES, type Variable, type VariableName } from './settings/variables.js';
