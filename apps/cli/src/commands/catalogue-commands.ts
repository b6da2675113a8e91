import { resolve } from 'node:path';
import { describeProblem, openCatalogueFile } from '@tollgate/adapters-config';
import { type Catalogue, type Instant, later, noticesAt, STANDARD_LIST, utcDayOf } from '@tollgate/core';
import { SystemClock } from '@tollgate/adapters-node';
import { encodeOperatorModel, encodePlan, encodePriceList } from '@tollgate/wire-kit';
import type { Command } from 'commander';
import { priceColumns } from '../program/class-lines.js';
import { askUpstream, catalogueOf, type ProgramContext, settingsOf } from '../program/program-settings.js';
import type { CommandRuntime } from '../program/command-runtime.js';
import { EXIT_CODES } from '../program/exit-codes.js';
import { type Report, shortened, table } from '../program/report.js';

export function addCatalogueCommands(program: Command, runtime: CommandRuntime): void {
  program.command('catalog').description('catalogue files')
    .command('check').description('report every mistake in a catalogue file; changes nothing').argument('<file>', 'its path')
    .action(async (file: string, _options: unknown, command: Command) => runtime.report(command, await checkCatalogue(runtime.programContext, file)));
  program.command('models').description('models on offer')
    .command('list').description('the models of the catalogue, or those that UPSTREAM_BASE_URL lists, with their prices per million tokens')
    .action(async (_options: unknown, command: Command) => {
      const source = await catalogueOf(runtime.programContext, askUpstream);
      runtime.report(command, modelsReport(source.current()));
    });
  program.command('prices').description('price lists')
    .command('list').description('the price lists of the catalogue, with their dated entries and prices per million tokens')
    .action(async (_options: unknown, command: Command) => {
      const source = await catalogueOf(runtime.programContext, ({ baseUrl }) => Promise.resolve({ baseUrl, models: [] }));
      runtime.report(command, pricesReport(source.current()));
    });
  program.command('plans').description('plans and their limits')
    .command('list').description('the plans of the catalogue with their limits')
    .action(async (_options: unknown, command: Command) => {
      const source = await catalogueOf(runtime.programContext, ({ baseUrl }) => Promise.resolve({ baseUrl, models: [] }));
      runtime.report(command, plansReport(source.current()));
    });
}

/** Reports each entry of each price list: a line with the factor, then a line for each model that has prices of its own. */
function pricesReport({ priceLists, usdPerServiceToken }: Catalogue): Report {
  const { headings, cellsOf } = priceColumns(priceLists.flatMap(({ entries }) => entries.flatMap(({ rates }) => [...rates.values()])), usdPerServiceToken);
  const rows = priceLists.flatMap(({ id, name, entries }) => entries.flatMap(({ from, factor, rates }) => {
    const start = [id, shortened(name), from === null ? 'the beginning' : utcDayOf(from)];
    return [[...start, factor, rates.size === 0 ? 'all' : 'all others'], ...[...rates].map(([model, price]) => [...start, null, model, ...cellsOf(price)])];
  }));
  return {
    json: { price_lists: priceLists.map(encodePriceList) },
    lines: rows.length === 0 ? ['There is no price list: all accounts pay the standard prices.'] : [
      ...table(['LIST', 'NAME', 'FROM', 'FACTOR', 'MODEL', ...headings], rows), 'The factor multiplies the standard prices of the models without prices of their own.', PRICE_UNITS,
    ],
  };
}

const PRICE_UNITS = 'Prices are per million tokens, in service tokens and US dollars.';

/** Lists the models with the standard prices in force now. */
function modelsReport(catalogue: Catalogue): Report {
  const { models, usdPerServiceToken } = catalogue.inForce(null, new SystemClock().now());
  const { headings, cellsOf } = priceColumns(models.map(({ price }) => price), usdPerServiceToken);
  return {
    json: { models: models.map((model) => encodeOperatorModel(model, catalogue)) },
    lines: models.length === 0 ? ['There is no model on offer.'] : [
      ...table(['MODEL', 'ALIASES', 'WINDOW', 'MAX OUTPUT', 'REASONING', ...headings, 'UPSTREAMS', 'FALLBACKS'], models.map((model) => [
        model.simulated ? `${model.slug} (simulated)` : model.slug, model.aliases.join(' '), model.contextWindowTokens, model.maxOutputTokens,
        model.reasoning ? 'yes' : 'no', ...cellsOf(model.price), model.targets.map(({ upstreamId }) => upstreamId).join(' '), model.fallbacks.join(' '),
      ])),
      PRICE_UNITS,
    ],
  };
}

function plansReport({ plans }: Catalogue): Report {
  return {
    json: { plans: plans.map(encodePlan) },
    lines: table(['PLAN', 'NAME', 'REQUESTS/MIN', 'TOKENS/MIN', 'CONCURRENT', 'MAX CONTEXT', 'KEYS', 'TOKENS/DAY', 'TOKENS/MONTH', 'EXCLUDED'],
      plans.map(({ id, name, limits, excludedModels }) => [
        id, shortened(name), limits.requestsPerMinute, limits.tokensPerMinute, limits.concurrentRequests, limits.maxContextTokens, limits.activeKeys,
        limits.tokensPerDay ?? 'none', limits.tokensPerMonth ?? 'none', [...excludedModels].join(' '),
      ])),
  };
}

interface LateRise {
  readonly list: string;
  readonly model: string;
  /** UTC day on which the price rises. */
  readonly from: string;
}

/** Returns the prices that rise before the period of notice is over. */
function risesWithoutNotice(catalogue: Catalogue, { now, priceNoticeMilliseconds }: { readonly now: Instant; readonly priceNoticeMilliseconds: number }): readonly LateRise[] {
  return noticesAt(catalogue, now, priceNoticeMilliseconds).flatMap((notice) => (notice.kind === 'price' && notice.from < later(now, priceNoticeMilliseconds)
    ? [...notice.rises.keys()].map((model) => ({ list: notice.list ?? STANDARD_LIST, model, from: utcDayOf(notice.from) })) : []));
}

/** Parses a catalogue file as the gateway does. Reports its problems, and prices that rise before the period of notice is over. */
async function checkCatalogue(programContext: ProgramContext, file: string): Promise<Report> {
  const { settings: { timeouts, priceNoticeMilliseconds }, environment } = settingsOf(programContext);
  const opening = await openCatalogueFile(resolve(programContext.folder, file), { environment, timeouts });
  if ('problems' in opening) {
    return {
      json: { file, valid: false, problems: opening.problems.map(({ line, path, message }) => ({ line, path, message })) },
      lines: opening.problems.map((mistake) => describeProblem(file, mistake)),
      exitCode: EXIT_CODES.failed,
    };
  }
  const { models, plans } = opening.file.current();
  const counts = { upstreams: opening.file.upstreams.length, models: models.length, plans: plans.length };
  const warnings = risesWithoutNotice(opening.file.current(), { now: new SystemClock().now(), priceNoticeMilliseconds });
  return {
    json: { file, valid: true, problems: [], warnings: warnings.map((warning) => ({ ...warning })), ...counts },
    lines: [
      `${file} has no mistakes. Upstreams: ${counts.upstreams}, models: ${counts.models}, plans: ${counts.plans}.`,
      ...warnings.map(({ list, model, from }) => `warning: the price of ${model} in the list ${list} rises on ${from}, in less than PRICE_NOTICE_DAYS; owners are told as soon as a gateway has the file`),
    ],
  };
}
