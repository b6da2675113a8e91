import { assertNever, type Clock, type DiscoveredList, type JsonValue } from '@tollgate/core';
import { anthropicConnection } from '../anthropic/anthropic-provider.js';
import { NO_ACCOUNT } from '../http/connection-places.js';
import { readText, type UpstreamConnection } from '../http/connection.js';
import { versionedUrl } from '../http/server-url.js';
import { openaiConnection } from '../openai/openai-provider.js';
import { asList, asObject, parseObject } from '../reply/json-values.js';
import { responsesConnection } from '../responses/responses-provider.js';
import { asUpstreamFailure, UpstreamFailure, type UpstreamFailureReason } from '../upstream/upstream-failure.js';
import type { AskableUpstream } from './askable-upstream.js';
import { decodeModel } from './listed-model.js';
import { windowsAt } from './native-windows.js';

/**
 * Lists the server's models. If the address answers with something else, and does not refuse the key, also tries it with `/v1`, except for servers of
 * the messages format. Throws `UpstreamFailure`.
 */
export async function discoverModels(definition: AskableUpstream, clock: Clock): Promise<DiscoveredList> {
  const { baseUrl, entries } = await listEitherWay(definition, clock);
  const listed = entries.flatMap((entry) => decodeModel(asObject(entry)) ?? []);
  const windows = await windowsAt({ ...definition, baseUrl }, listed, clock);
  const models = listed.map(({ id, contextWindowTokens, maxOutputTokens }) => ({ id, contextWindowTokens: windows.get(id) ?? contextWindowTokens, maxOutputTokens }));
  return { baseUrl, models };
}

interface List {
  readonly baseUrl: string;
  readonly entries: readonly JsonValue[];
}

/** Failures that a missing `/v1` in the path cannot cause. */
const NOT_ABOUT_THE_PATH: ReadonlySet<UpstreamFailureReason> = new Set(['connect-failed', 'hung-up', 'timed-out', 'bad-credentials']);

async function listEitherWay(definition: AskableUpstream, clock: Clock): Promise<List> {
  const versioned = versionedUrl(definition.baseUrl);
  try {
    return { baseUrl: definition.baseUrl, entries: await listAt(definition, clock) };
  } catch (thrown) {
    const { reason } = asUpstreamFailure(thrown);
    if (definition.kind === 'anthropic' || versioned === new URL(definition.baseUrl).href || NOT_ABOUT_THE_PATH.has(reason)) throw thrown;
    return { baseUrl: versioned, entries: await listAt({ ...definition, baseUrl: versioned }, clock) };
  }
}

/** Paths of the list of models. Servers of the messages format list only 20 models by default. */
const ENDPOINTS: Readonly<Record<AskableUpstream['kind'], string>> = { openai: '/models', anthropic: '/models?limit=1000', responses: '/models' };

async function listAt(definition: AskableUpstream, clock: Clock): Promise<readonly JsonValue[]> {
  const connection = connectionTo(definition, clock);
  try {
    const { call } = await connection.ask({ endpoint: ENDPOINTS[definition.kind], body: null, accept: 'application/json', firstByteFactor: 1, accountId: NO_ACCOUNT, signal: null, requestId: null });
    const list = parseObject(await readText(call));
    if (list === null || !Array.isArray(list['data'])) throw new UpstreamFailure('malformed-reply', 'the upstream did not answer with a list of models');
    return asList(list['data']);
  } finally {
    await connection.close();
  }
}

function connectionTo(definition: AskableUpstream, clock: Clock): UpstreamConnection {
  switch (definition.kind) {
    case 'openai': return openaiConnection(definition, { clock });
    case 'anthropic': return anthropicConnection(definition, { clock });
    case 'responses': return responsesConnection(definition, { clock });
    default: return assertNever(definition);
  }
}
