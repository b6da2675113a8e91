import type { Catalogue } from '@tollgate/core';
import type { Command } from 'commander';
import { encodeModel, encodePlan } from '../../encoding/encode-catalogue.js';
import type { CommandRuntime } from '../../program/command-runtime.js';
import { askUpstream, catalogueOf } from '../../program/operator-session.js';
import type { Report } from '../../program/report.js';
import { table } from '../../program/table.js';
import { checkCatalogue } from './check-catalogue.js';

export function addCatalogueCommands(program: Command, runtime: CommandRuntime): void {
  program.command('catalog').description('catalogue files')
    .command('check').description('say everything that is wrong with a catalogue file, and put nothing in force').argument('<file>', 'its path')
    .action(async (file: string, _options: unknown, command: Command) => runtime.report(command, await checkCatalogue(runtime.surroundings, file)));
  program.command('models').description('models on offer')
    .command('list').description('the models of the catalogue, or those that UPSTREAM_BASE_URL lists')
    .action(async (_options: unknown, command: Command) => {
      const source = await catalogueOf(runtime.surroundings, askUpstream);
      runtime.report(command, modelsReport(source.current()));
    });
  program.command('plans').description('plans')
    .command('list').description('the plans of the catalogue with their limits')
    .action(async (_options: unknown, command: Command) => {
      const source = await catalogueOf(runtime.surroundings, ({ baseUrl }) => Promise.resolve({ baseUrl, models: [] }));
      runtime.report(command, plansReport(source.current()));
    });
}

function modelsReport(catalogue: Catalogue): Report {
  const { models } = catalogue;
  return {
    json: { models: models.map((model) => encodeModel(model, catalogue)) },
    lines: table(['MODEL', 'ALIASES', 'WINDOW', 'MAX OUTPUT', 'REASONING', 'PROMPT', 'OUTPUT', 'UPSTREAMS', 'FALLBACKS'], models.map((model) => [
      model.simulated ? `${model.slug} (simulated)` : model.slug, model.aliases.join(' '), model.contextWindowTokens, model.maxOutputTokens,
      model.reasoning ? 'yes' : 'no', model.price.promptToken, model.price.outputToken,
      model.targets.map(({ upstreamId }) => upstreamId).join(' '), model.fallbacks.join(' '),
    ])),
  };
}

function plansReport({ plans }: Catalogue): Report {
  return {
    json: { plans: plans.map(encodePlan) },
    lines: table(['PLAN', 'NAME', 'REQUESTS/MIN', 'TOKENS/MIN', 'CONCURRENT', 'MAX CONTEXT', 'KEYS', 'TOKENS/DAY', 'TOKENS/MONTH', 'EXCLUDED'],
      plans.map(({ id, name, limits, excludedModels }) => [
        id, name, limits.requestsPerMinute, limits.tokensPerMinute, limits.concurrentRequests, limits.maxContextTokens, limits.activeKeys,
        limits.tokensPerDay ?? 'none', limits.tokensPerMonth ?? 'none', [...excludedModels].join(' '),
      ])),
  };
}
