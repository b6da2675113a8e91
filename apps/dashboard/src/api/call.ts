import type { contract, ParamsOf, ReplyOf, RequestBodyOf, RequestQueryOf, RouteDefinition } from '@tollgate/api-contract';
import { routeTable, type RouteEntry } from 'virtual:route-table';
import { numberOf } from '../format/number';
import { apiMessages } from '#texts/api-messages';
import { ApiError, type Fault } from './api-error';
import { faultsOf, type FieldError } from './field-faults';

export type Contract = typeof contract;
export type RouteName = keyof Contract;
export type Reply<Name extends RouteName> = ReplyOf<Contract[Name]>;
export type RequestBody<Name extends RouteName> = RequestBodyOf<Contract[Name]>;

type Part<Key extends string, Value> = [Value] extends [undefined] ? { readonly [key in Key]?: undefined } : { readonly [key in Key]: Value };
type QueryPart<Route extends RouteDefinition> = [RequestQueryOf<Route>] extends [undefined] ? { readonly query?: undefined } : { readonly query?: RequestQueryOf<Route> };

/** The contract's `params`, `query` and `body`; parts that the route lacks are omitted. */
export type Input<Name extends RouteName> = Part<'params', ParamsOf<Contract[Name]>> & QueryPart<Contract[Name]> & Part<'body', RequestBodyOf<Contract[Name]>>;

interface AnyInput {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

type Texts = Readonly<Record<string, string | number | boolean | null | undefined>>;

const ROOT = '/dashboard/api';

/** URL of a route, for requests and for plain links such as downloads. */
export function addressOf<Name extends RouteName>(name: Name, input: Omit<Input<Name>, 'body'>): string {
  const { params = {}, query = {} } = input as AnyInput;
  const [, path, largestPage] = entryOf(name);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String((params as Texts)[key])));
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query as Texts)) if (value !== undefined && value !== null) search.set(key, String(value));
  if (largestPage !== null && !search.has('limit')) search.set('limit', String(largestPage));
  return ROOT + filled + (search.size === 0 ? '' : `?${search.toString()}`);
}

/** The page size that a request asks for unless its query sets one: the maximum of the route, 0 for a route without pages. */
export function pageSizeOf(name: RouteName): number {
  return entryOf(name)[2] ?? 0;
}

function entryOf(name: RouteName): RouteEntry {
  const entry = routeTable[name];
  if (entry === undefined) throw new Error(`The contract has no route ${name}.`);
  return entry;
}

/** Rejects with an `ApiError` for refusals and when the gateway is unreachable. */
export async function send<Name extends RouteName>(name: Name, input: Input<Name>, signal?: AbortSignal): Promise<Response> {
  const [method] = entryOf(name);
  const { body } = input as AnyInput;
  const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  let response: Response;
  try {
    response = await fetch(addressOf(name, input), {
      method, headers, credentials: 'same-origin', cache: 'no-store', redirect: 'error', body: body === undefined ? null : JSON.stringify(body), signal: signal ?? null,
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new ApiError({ status: 0, code: 'unreachable', message: apiMessages.unreachable, faults: [], requestId: null, retryAfter: null });
  }
  if (!response.ok) throw await errorOf(response);
  return response;
}

/** Sends a request and returns the reply's body, `undefined` if it is empty. Rejects as `send` does. */
export async function call<Name extends RouteName>(name: Name, input: Input<Name>, signal?: AbortSignal): Promise<Reply<Name>> {
  const response = await send(name, input, signal);
  return (response.status === 204 ? undefined : await response.json()) as Reply<Name>;
}

interface Envelope {
  readonly error?: { readonly code?: string | null; readonly message?: string; readonly param?: string | null; readonly errors?: readonly FieldError[] };
}

/** The texts of all field faults; if there are none, a message about the whole request, or `undefined` if the reply contains none. */
function messageOf({ code, message }: NonNullable<Envelope['error']>, faults: readonly Fault[]): string | undefined {
  return faults.length === 0 ? apiMessages.byCode[code ?? ''] ?? message : faults.map(({ text }) => text).join(' ');
}

async function errorOf(response: Response): Promise<ApiError> {
  const requestId = response.headers.get('x-request-id') ?? response.headers.get('request-id');
  const wait = response.headers.get('retry-after');
  const envelope = (await response.json().catch(() => ({}))) as Envelope;
  const { code, message, param, errors } = envelope.error ?? {};
  const faults = await faultsOf({ message: message ?? '', param: param ?? null, errors: errors ?? [] });
  return new ApiError({
    status: response.status,
    code: code ?? 'unknown',
    message: messageOf({ code, message }, faults) ?? apiMessages.answered(response.status),
    faults,
    requestId,
    retryAfter: wait === null ? null : Math.ceil(numberOf(wait)),
  });
}
