import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { DEFAULT_REQUEST_LIMITS, instant, type ModelSlug, perRate, type PlanId, type PriceListId, STANDARD_PLANS } from '@tollgate/core';
import { readSettings } from '../settings/settings.js';
import { decodeCatalogue } from './decode-catalogue.js';
import type { CatalogueContext, LoadedCatalogue } from './loaded-catalogue.js';
import { describeProblem } from './catalogue-problem.js';

const TIMEOUTS = { connectMilliseconds: 1, firstByteMilliseconds: 2, firstOutputMilliseconds: 5, silenceMilliseconds: 3, wholeMilliseconds: 4 };
const CONTEXT: CatalogueContext = { environment: { VLLM_KEY: 'vllm-secret' }, timeouts: TIMEOUTS };

const SOUND = `
usd_per_service_token: 0.001
upstreams:
  here:
    kind: openai
    base_url: http://127.0.0.1:8000/v1
    api_key_env: VLLM_KEY
  simulated:
    kind: sandbox
models:
  small:
    context_window: 32_768
    max_output_tokens: 4096
    price: { prompt: 0.1, output: 1234567.000001 }
    targets: [{ upstream: here, model: org/small }, { upstream: simulated, model: small }]
    fallbacks: [pretend]
  pretend:
    aliases: [gpt-*, other]
    context_window: 1000
    max_output_tokens: 1000
    reasoning: true
    created: 2026-02-28
    price: { prompt: "2", cached_prompt: 0.5, cache_creation: 3, output: 4 }
    targets: [{ upstream: simulated, model: pretend }]
`;

function loadedFrom(source: string, context = CONTEXT): LoadedCatalogue {
  const reading = decodeCatalogue(source, context);
  if ('problems' in reading) throw new Error(reading.problems.map((problem) => describeProblem('catalog.yaml', problem)).join('\n'));
  return reading.loaded;
}

const FOR_SALE = `
credit_packages:
  month: { name: Month, price: "10.00", currency: EUR, service_tokens: 1000, bonus: 50, credit_expires_after_days: 90 }
custom_credit: { currency: EUR, min: 1, max: 500.00, service_tokens_per_unit: 90 }
`;

function problemsIn(source: string): readonly string[] {
  const reading = decodeCatalogue(source, CONTEXT);
  return 'problems' in reading ? reading.problems.map((problem) => describeProblem('catalog.yaml', problem)) : [];
}

/** A valid catalogue with changes to the model `small` and at the top level. */
function changed(model: string, top = ''): string {
  return SOUND.replace('    fallbacks: [pretend]\n', `    fallbacks: [pretend]\n${model}`) + top;
}

describe('the public facts of a model', () => {
  it('are absent unless the catalogue states them', () => {
    const [small] = loadedFrom(SOUND).catalogue.models;
    expect(small).not.toHaveProperty('description');
    expect(small).not.toHaveProperty('inputModalities');
    const { catalogue } = loadedFrom(changed('    description: Reads pictures.\n    input_modalities: [text, image]\n'));
    expect(catalogue.models[0]).toMatchObject({ description: 'Reads pictures.', inputModalities: ['text', 'image'] });
  });

  it.each([
    ['an unknown kind of input', '    input_modalities: [text, smell]\n', 'models.small.input_modalities[1]: must be one of text, image, document'],
    ['a kind of input that is named twice', '    input_modalities: [text, text]\n', 'models.small.input_modalities: must name each once'],
    ['no kind of input', '    input_modalities: []\n', 'models.small.input_modalities: must name at least one'],
    ['a description with a line break', '    description: "one\\ntwo"\n', 'models.small.description: must be 1 to 300 characters without line breaks'],
    ['a description that is too long', `    description: ${'x'.repeat(301)}\n`, 'models.small.description: must be 1 to 300 characters without line breaks'],
  ])('are refused with %s', (_, model, problem) => {
    expect(problemsIn(changed(model)).join('\n')).toContain(problem);
  });
});

describe('future prices and price lists', () => {
  const later = (...entries: readonly string[]) => SOUND.replace('output: 1234567.000001 }', `output: 1234567.000001, later: [${entries.join(', ')}] }`);

  it('are read without rounding', () => {
    const { catalogue } = loadedFrom(`${later('{ from: 2027-01-01, prompt: 0.2, cached_prompt: 0.1, output: 7 }')}
price_lists:
  partners:
    name: Partners
    entries:
      - { factor: 0.8 }
      - { from: 2027-02-01, factor: 0.123456, models: { pretend: { prompt: 1, output: 2 } } }
`);
    expect(catalogue.model('small' as ModelSlug)?.laterPrices).toEqual([
      { from: Date.UTC(2027, 0, 1), price: { ...perRate(() => '0.0000002'), cachedPromptToken: '0.0000001', outputToken: '0.000007' } },
    ]);
    expect(catalogue.priceLists).toMatchObject([{ id: 'partners', name: 'Partners', entries: [{ from: null, factor: '0.8' }, { from: Date.UTC(2027, 1, 1), factor: '0.123456' }] }]);
    expect(catalogue.inForce('partners' as PriceListId, instant(Date.UTC(2027, 1, 1))).models.map(({ slug, price }) => [slug, price.promptToken])).toEqual([
      ['small', '0.0000000246912'], ['pretend', '0.000001'],
    ]);
  });

  it.each([
    ['a later price without a date', later('{ prompt: 1, output: 1 }'), 'models.small.price.later[0].from: is missing'],
    ['dates that do not ascend', later('{ from: 2027-01-02, prompt: 1, output: 1 }', '{ from: 2027-01-02, prompt: 2, output: 2 }'), 'models.small.price.later[1].from: must be later than the date of the entry before it'],
    ['a price list with the name of the standard prices', changed('', 'price_lists: { standard: { entries: [{ factor: 1 }] } }'), 'price_lists.standard: standard names the standard prices, so a price list must have another name'],
    ['a price list without entries', changed('', 'price_lists: { a: { entries: [] } }'), 'price_lists.a.entries: must have at least one entry'],
    ['a first entry with a date', changed('', 'price_lists: { a: { entries: [{ from: 2027-01-01 }] } }'), 'price_lists.a.entries[0].from: must not be set: the first entry holds from the beginning'],
    ['a second entry without a date', changed('', 'price_lists: { a: { entries: [{ factor: 1 }, { factor: 2 }] } }'), 'price_lists.a.entries[1].from: is missing; only the first entry holds without a date'],
    ['entries that do not ascend', changed('', 'price_lists: { a: { entries: [{}, { from: 2027-02-01 }, { from: 2027-01-01 }] } }'), 'price_lists.a.entries[2].from: must be later than the date of the entry before it'],
    ['rates of an unknown model', changed('', 'price_lists: { a: { entries: [{ models: { none: { prompt: 1, output: 1 } } }] } }'), 'price_lists.a.entries[0].models.none: there is no model none'],
    ['a factor with seven decimal places', changed('', 'price_lists: { a: { entries: [{ factor: 0.1234567 }] } }'), 'price_lists.a.entries[0].factor: must be a decimal number with at most 3 digits before and 6 after the point'],
  ])('are refused with %s', (_name, source, problem) => {
    const problems = problemsIn(source);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^catalog\.yaml:\d+: /);
    expect(problems[0]?.replace(/^catalog\.yaml:\d+: /, '')).toBe(problem);
  });
});

describe('the shutdown of a model', () => {
  it('is read with its date and the successor to which requests are forwarded', () => {
    const { catalogue } = loadedFrom(changed('    shutdown_date: 2027-03-01\n    successor: pretend\n    after_shutdown: successor\n'));
    expect(catalogue.model('small' as ModelSlug)?.shutdown).toEqual({ at: Date.UTC(2027, 2, 1), successor: 'pretend', forwards: true });
  });

  it.each([
    ['a successor without a date', '    successor: pretend\n', 'models.small.successor: needs shutdown_date'],
    ['forwarding without a successor', '    shutdown_date: 2027-03-01\n    after_shutdown: successor\n', 'models.small.after_shutdown: needs a successor'],
    ['an unknown successor', '    shutdown_date: 2027-03-01\n    successor: toString\n', 'models.small.successor: there is no model toString'],
    ['a model that succeeds itself', '    shutdown_date: 2027-03-01\n    successor: small\n', 'models.small.successor: its successors must not lead back to the model'],
    ['an unknown value of after_shutdown', '    shutdown_date: 2027-03-01\n    after_shutdown: never\n', 'models.small.after_shutdown: must be one of refuse, successor'],
  ])('is refused with %s', (_name, fields, problem) => {
    expect(problemsIn(changed(fields)).map((text) => text.replace(/^catalog\.yaml:\d+: /, ''))).toEqual([problem]);
  });

  it('is refused if the successors of models form a circle', () => {
    const source = changed('    shutdown_date: 2027-03-01\n    successor: pretend\n').replace('    reasoning: true\n', '    reasoning: true\n    shutdown_date: 2027-03-01\n    successor: small\n');
    expect(problemsIn(source)).toHaveLength(2);
  });
});

describe('decodeCatalogue', () => {
  it('reads the credit packages and custom credit that are for sale', () => {
    const { creditOffer } = loadedFrom(SOUND + FOR_SALE).catalogue;
    expect(creditOffer).toMatchObject({ packages: [{ id: 'month', amount: 1_000n, creditExpiresAfterDays: 90 }], custom: { min: 100n, max: 50_000n } });
  });

  it('reads exact prices per token', () => {
    const { catalogue } = loadedFrom(SOUND);
    expect(catalogue.resolve('small')).toMatchObject({
      slug: 'small', displayName: 'small', contextWindowTokens: 32_768, maxOutputTokens: 4_096, enforcesMaxTokens: true, reasoning: false, simulated: false, fallbacks: ['pretend'],
      price: { promptToken: '0.0000001', cachedPromptToken: '0.0000001', cacheCreationToken: '0.0000001', outputToken: '1.234567000001' },
      targets: [{ upstreamId: 'here', upstreamModel: 'org/small' }, { upstreamId: 'simulated', upstreamModel: 'small' }],
    });
    expect(catalogue.resolve('gpt-9')).toMatchObject({
      slug: 'pretend', reasoning: true, simulated: true, createdAt: Date.UTC(2026, 1, 28),
      price: { promptToken: '0.000002', cachedPromptToken: '0.0000005', cacheCreationToken: '0.000003', outputToken: '0.000004' },
    });
    expect(catalogue.minimumReservation.toString()).toBe('1');
    expect(catalogue.usdPerServiceToken).toBe('0.001');
  });

  it.each(["''", "' '", "'a\\nb'", 'x'.repeat(201)].map((name) => name.replaceAll("'", '"')))('rejects %s as the name of a model, owner or plan', (name) => {
    const named = SOUND.replace(/\n( +)targets:/, (line, indent: string) => `\n${indent}display_name: ${name}\n${indent}owned_by: ${name}${line}`);
    expect(problemsIn(`${named.trimEnd()}\nplans:\n  own: { name: ${name} }\n`).filter((problem) => problem.includes('must be one line of 1 to 200 characters'))).toHaveLength(3);
  });

  it('reads whether the servers of a model enforce its maximum number of output tokens', () => {
    const { catalogue } = loadedFrom(SOUND.replace('reasoning: true', 'enforces_max_tokens: false'));
    expect(catalogue.resolve('pretend')).toMatchObject({ enforcesMaxTokens: false });
  });

  it('reads upstreams, with their keys from the environment and their timeouts from the settings', () => {
    expect(loadedFrom(SOUND).upstreams).toEqual([
      { id: 'here', kind: 'openai', baseUrl: 'http://127.0.0.1:8000/v1', apiKey: 'vllm-secret', options: { timeouts: TIMEOUTS } },
      { id: 'simulated', kind: 'sandbox' },
    ]);
  });

  it('reads the options of an upstream, and the timeout that replaces the one of the settings', () => {
    const options = `
    output_limit_field: max_completion_tokens
    reasoning_style: thinking
    reasoning_replay: omitted
    system_turns: as-user
    attribution: sent
    stop_sequence_limit: 16
    tool_call_id_limit: 100
    max_connections: 8
    json_schema: schema
    extra_body: { min_p: 0.05, keep_alive: 30m, top_k: "40", chat_template_kwargs: { preserve_thinking: true, none: null } }
    timeouts: { first_byte_seconds: 1.5 }
`;
    const [upstream] = loadedFrom(SOUND.replace('\n    api_key_env: VLLM_KEY\n', options)).upstreams;
    expect(upstream).toMatchObject({
      apiKey: null,
      options: {
        outputLimitField: 'max_completion_tokens', reasoningStyle: 'thinking', reasoningReplay: 'omitted', systemTurns: 'as-user', attribution: 'sent',
        jsonSchema: 'schema', extraBody: { min_p: 0.05, keep_alive: '30m', top_k: '40', chat_template_kwargs: { preserve_thinking: true, none: null } },
        stopSequenceLimit: 16, toolCallIdLimit: 100, maxConnections: 8, timeouts: { ...TIMEOUTS, firstByteMilliseconds: 1_500 },
      },
    });
  });

  it('reads the parameter rules of a model, and keeps the types of their values', () => {
    const rules = `
    omit: [temperature, stream_options]
    fix: { seed: 7, reasoning_effort: none }
    with_tools: { omit: [top_p], fix: { chat_template_kwargs: { enable_thinking: false } } }
`;
    expect(loadedFrom(SOUND.replace(/\n( +)targets:/, (line) => `${rules.trimEnd()}${line}`)).catalogue.models[0]?.parameters).toEqual({
      always: { omit: ['temperature', 'stream_options'], fix: { seed: 7, reasoning_effort: 'none' } },
      withTools: { omit: ['top_p'], fix: { chat_template_kwargs: { enable_thinking: false } } },
      withoutTools: { omit: [], fix: {} },
    });
    expect(loadedFrom(SOUND).catalogue.models[0]).not.toHaveProperty('parameters');
  });

  it('reads an upstream of the messages format with its options', () => {
    const entry = (options: string): string => SOUND.replace('kind: openai', 'kind: anthropic').replace('\n    api_key_env: VLLM_KEY\n', `\n    api_key_env: VLLM_KEY\n${options}`);
    expect(loadedFrom(entry('')).upstreams[0]).toEqual({ id: 'here', kind: 'anthropic', baseUrl: 'http://127.0.0.1:8000/v1', apiKey: 'vllm-secret', options: { timeouts: TIMEOUTS } });
    const options = `
    authentication: bearer
    reasoning_style: adaptive
    reasoning_replay: signed
    system_turns: in-place
    attribution: sent
    stop_sequence_limit: 4
    max_connections: none
`;
    expect(loadedFrom(entry(options)).upstreams[0]).toMatchObject({ options: {
      authentication: 'bearer', reasoningStyle: 'adaptive', reasoningReplay: 'signed', systemTurns: 'in-place', attribution: 'sent', stopSequenceLimit: 4, maxConnections: null,
    } });
  });

  it('adds the plans of the file to the standard plans, which the file may override', () => {
    expect(loadedFrom(SOUND).catalogue.plans).toEqual(STANDARD_PLANS);
    const { catalogue } = loadedFrom(`${SOUND}
plans:
  pro: { requests_per_minute: 7, tokens_per_day: 1_000_000, tokens_per_month: none, excluded_models: [small] }
  own: { name: Own, requests_per_minute: 1, tokens_per_minute: 2, concurrent_requests: 3, max_context_tokens: 4, active_keys: 5 }
`);
    const pro = catalogue.plan('pro' as PlanId);
    expect(pro).toMatchObject({ name: 'Pro', limits: { requestsPerMinute: 7, concurrentRequests: 10, tokensPerDay: 1_000_000, tokensPerMonth: null } });
    expect([...pro?.excludedModels ?? []]).toEqual(['small']);
    expect(catalogue.plan('own' as PlanId)?.limits).toEqual({
      requestsPerMinute: 1, tokensPerMinute: 2, concurrentRequests: 3, maxContextTokens: 4, activeKeys: 5, tokensPerDay: null, tokensPerMonth: null,
    });
    expect(catalogue.plans).toHaveLength(6);
  });

  it.each(['model', 'messages', 'system', 'stream', 'stream_options', 'max_tokens', 'max_completion_tokens', 'n', 'tools'])('refuses the field %s in extra_body', (name) => {
    expect(problemsIn(SOUND.replace('    api_key_env: VLLM_KEY\n', `    api_key_env: VLLM_KEY\n    extra_body:\n      min_p: 0.1\n      ${name}: 1\n`)))
      .toEqual([`catalog.yaml:10: upstreams.here.extra_body.${name}: is a field that the gateway writes itself`]);
  });

  it.each([['extra_body: text', 'extra_body: must be a map'], ['json_schema: strict', 'json_schema: must be one of object, schema']])('refuses %s', (line, problem) => {
    expect(problemsIn(SOUND.replace('    api_key_env: VLLM_KEY\n', `    api_key_env: VLLM_KEY\n    ${line}\n`))).toEqual([`catalog.yaml:8: upstreams.here.${problem}`]);
  });

  it('reports all errors at once, and a missing field at the line of the entry that lacks it', () => {
    const broken = SOUND.replace('    max_output_tokens: 4096\n', '').replace('reasoning: true', 'reasoning: yes').replace('http://127.0.0.1:8000/v1', 'ftp://x');
    expect(problemsIn(broken)).toEqual([
      'catalog.yaml:6: upstreams.here.base_url: must be an http:// or https:// address',
      'catalog.yaml:12: models.small.max_output_tokens: is missing',
      'catalog.yaml:20: models.pretend.reasoning: must be true or false',
    ]);
  });

  const PRICE = 'must be service tokens per million tokens: a decimal number with at most 9 digits before and 6 after the point';

  it.each<[string, string, string, string]>([
    ['an unknown field', 'aliases: [gpt-*', 'alias: [gpt-*', 'catalog.yaml:18: models.pretend.alias: there is no such field'],
    ['an exponent in a price', 'prompt: 0.1,', 'prompt: 1e3,', `catalog.yaml:14: models.small.price.prompt: ${PRICE}`],
    ['a negative price', 'prompt: 0.1,', 'prompt: -1,', `catalog.yaml:14: models.small.price.prompt: ${PRICE}`],
    ['more decimal places than a rate can have', 'prompt: 0.1,', 'prompt: 0.0000001,', `catalog.yaml:14: models.small.price.prompt: ${PRICE}`],
    ['a window of zero', 'context_window: 32_768', 'context_window: 0', 'catalog.yaml:12: models.small.context_window: must be a whole number, at least 1'],
    ['a maximum output above the context window', 'max_output_tokens: 4096', 'max_output_tokens: 32769', 'catalog.yaml:13: models.small.max_output_tokens: must not be more than context_window, 32768'],
    ['an unknown kind of upstream', 'kind: sandbox', 'kind: telepathy', 'catalog.yaml:9: upstreams.simulated.kind: must be one of openai, anthropic, responses, sandbox'],
    ['an upstream without a kind', 'kind: sandbox', 'base_url: http://a', 'catalog.yaml:9: upstreams.simulated.kind: must be one of openai, anthropic, responses, sandbox'],
    ['an unknown upstream', 'upstream: here,', 'upstream: there,', 'catalog.yaml:15: models.small.targets[0].upstream: there is no upstream there'],
    ['no target', 'targets: [{ upstream: simulated, model: pretend }]', 'targets: []', 'catalog.yaml:24: models.pretend.targets: must name at least one upstream'],
    ['an unknown fallback', 'fallbacks: [pretend]', 'fallbacks: [nobody]', 'catalog.yaml:16: models.small.fallbacks[0]: there is no model nobody'],
    ['a model as its own fallback', 'fallbacks: [pretend]', 'fallbacks: [small]', 'catalog.yaml:16: models.small.fallbacks[0]: a model cannot be its own fallback'],
    ['a fallback twice', 'fallbacks: [pretend]', 'fallbacks: [pretend, pretend]', 'catalog.yaml:16: models.small.fallbacks[1]: pretend is already listed'],
    ['an alias that is a model', 'aliases: [gpt-*, other]', 'aliases: [gpt-*, small]', 'catalog.yaml:18: models.pretend.aliases[1]: small is the name of a model'],
    ['an alias twice', 'aliases: [gpt-*, other]', 'aliases: [gpt-*, gpt-*]', 'catalog.yaml:18: models.pretend.aliases[1]: gpt-* is an alias of pretend already'],
    ['a * in the middle', 'gpt-*,', 'g*t,', 'catalog.yaml:18: models.pretend.aliases[0]: must be a name without spaces, with * at its end or not at all'],
    ['a model name with a space', '  pretend:', '  pre tend:', 'catalog.yaml:18: models.pre tend: must be 1 to 200 printable ASCII characters without spaces and *'],
    ['a date that does not exist', '2026-02-28', '2026-02-29', 'catalog.yaml:22: models.pretend.created: must be a day such as 2026-11-21'],
    ['a key that is not in the environment', 'VLLM_KEY', 'OTHER_KEY', 'catalog.yaml:7: upstreams.here.api_key_env: the environment variable OTHER_KEY is not set'],
    ['a list instead of a map', '    price: { prompt: 0.1, output: 1234567.000001 }', '    price: [1, 2]', 'catalog.yaml:14: models.small.price: must be a map'],
    ['a plan without its limits', 'usd_per_service_token: 0.001', 'usd_per_service_token: 0.001\nplans: { own: { name: Own, requests_per_minute: 1, tokens_per_minute: 1, concurrent_requests: 1, max_context_tokens: 1 } }', 'catalog.yaml:3: plans.own.active_keys: is missing; only the standard plans have defaults'],
    ['a plan that excludes an unknown model', 'usd_per_service_token: 0.001', 'usd_per_service_token: 0.001\nplans: { pro: { excluded_models: [nobody] } }', 'catalog.yaml:3: plans.pro.excluded_models[0]: there is no model nobody'],
    ['no value of a service token', 'usd_per_service_token: 0.001', '', 'catalog.yaml:3: usd_per_service_token: is missing'],
  ])('refuses %s', (_what, found, replacement, problem) => {
    expect(SOUND).toContain(found);
    expect(problemsIn(SOUND.replace(found, replacement))).toContain(problem);
  });

  it.each([
    ['an empty file', '', 'catalog.yaml:1: must be a map'],
    ['a bare text', 'hello', 'catalog.yaml:1: must be a map'],
    ['a name given twice', `${SOUND}  small: {}\n`, 'catalog.yaml:25: Map keys must be unique'],
    ['text that is not YAML', 'models: [', 'catalog.yaml:1: Flow sequence in block collection must be sufficiently indented and end with a ]'],
    ['no model at all', 'usd_per_service_token: 1\nupstreams: {}\nmodels: {}\n', 'catalog.yaml:3: models: must name at least one model'],
  ])('refuses %s', (_what, source, problem) => {
    expect(problemsIn(source)).toEqual([problem]);
  });

  it('accepts the example file in the root folder', () => {
    const example = readFileSync(new URL('../../../../catalog.example.yaml', import.meta.url), 'utf8');
    const reading = readSettings({});
    if ('problems' in reading) throw new Error('the defaults are sound');
    const { catalogue } = loadedFrom(example, { environment: {}, timeouts: reading.settings.timeouts });
    expect(catalogue.models.map(({ slug }) => slug)).toEqual(['qwen3-32b', 'llama-3.1-8b']);
    expect(catalogue.plan('internal' as PlanId)?.limits.tokensPerMonth).toBe(500_000_000);
    expect(catalogue.requestLimits).toEqual({ ...DEFAULT_REQUEST_LIMITS, messages: 5_000, tools: 256 });
    expect(['gpt-5.5', 'codex-mini-latest', 'o3', 'o4-mini'].map((name) => catalogue.resolve(name)?.slug)).toEqual(Array.from({ length: 4 }, () => 'qwen3-32b'));
  });

  it('accepts the example file with the upstreams in its comments activated', () => {
    const example = readFileSync(new URL('../../../../catalog.example.yaml', import.meta.url), 'utf8');
    const reading = readSettings({});
    if ('problems' in reading) throw new Error('the defaults are sound');
    const shown = example.replaceAll(/^ {2}# ((?:anthropic|openai):| {2}(?:kind|base_url|api_key_env): .*)$/gm, '  $1');
    const environment = { ANTHROPIC_API_KEY: 'one', OPENAI_API_KEY: 'two' };
    const { upstreams } = loadedFrom(shown, { environment, timeouts: reading.settings.timeouts });
    expect(upstreams.map(({ kind }) => kind)).toEqual(['openai', 'openai', 'openai', 'anthropic', 'responses']);
  });
});

it('references to models and upstreams that do not exist are reported together with other errors', () => {
  const source = SOUND.replace('context_window: 32_768', 'context_window: many').replace('upstream: here, model: org', 'upstream: there, model: org')
    .replace('fallbacks: [pretend]', 'fallbacks: [ghost]');
  expect(problemsIn(`${source}plans:\n  pro:\n    excluded_models: [nobody]\n`).map((line) => line.replace(/^[^ ]+ /, ''))).toEqual([
    'models.small.context_window: must be a whole number, at least 1',
    'models.small.targets[0].upstream: there is no upstream there',
    'models.small.fallbacks[0]: there is no model ghost',
    'plans.pro.excluded_models[0]: there is no model nobody',
  ]);
});

it.each(['[]', 'models: 5', 'upstreams: []\nmodels: { a: { targets: [7, {}], fallbacks: {} } }\nplans: { b: 1 }'])('a malformed reference is not also reported as a missing model or upstream: %j', (source) => {
  const problems = problemsIn(source);
  expect(problems.length).toBeGreaterThan(0);
  expect(problems.filter((line) => line.includes('there is no'))).toEqual([]);
});
