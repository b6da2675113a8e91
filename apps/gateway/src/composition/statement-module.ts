import { serviceModule } from '@tollgate/composition';
import { Statements } from '@tollgate/core';
import { NO_STATEMENTS } from '../adapters/no-statements.js';
import { statementPrinters } from '../adapters/statement-printers.js';
import { StatementRunner } from '../background/statement-runner.js';
import { services } from './services.js';

const { configuration, store, clock, log } = services;

export const statementModule = serviceModule((make) => {
  make(services.statementRecords, { store }, (parts) => parts.store.statements ?? NO_STATEMENTS);
  make(services.statementIssuer, { configuration }, (parts) => parts.configuration.statementIssuer);
  make(services.statementPrinters, { clock, settings: services.settings }, (parts) => statementPrinters(parts.clock, parts.settings.brand.tokenWord.many));
  make(StatementRunner, { statements: Statements, clock, log }, (parts) => new StatementRunner(parts));
});
