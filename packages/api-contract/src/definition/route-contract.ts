import type { z } from 'zod';

export type RouteMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/**
 * Access to a route. `anyone`: needs no session. `signed-in`: any session, even before its second factor. `owner`: a fully authenticated session.
 * `operator`: a fully authenticated session of an operator; other people get `not_found`.
 */
export type Access = 'anyone' | 'signed-in' | 'owner' | 'operator';

export type SuccessStatus = 200 | 201 | 202 | 204 | 303;

/** Type of a content that the route itself writes: other than JSON, or JSON that this contract does not describe. */
export type ProducedType = 'application/json' | 'text/event-stream' | 'text/csv' | 'application/x-ndjson' | 'application/pdf';

/** Properties of the routes of every contract. */
export interface RouteParts {
  readonly method: RouteMethod;
  /** Path below the root of the contract, with parameters in braces: `/keys/{id}`. */
  readonly path: string;
  /** A sentence for the OpenAPI description. */
  readonly summary: string;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Absent for 204, and if the route writes the reply itself. */
  readonly reply?: z.ZodType;
  readonly produces?: ProducedType | readonly ProducedType[];
}

/** A route below `/dashboard/api`. */
export interface RouteDefinition extends RouteParts {
  readonly access: Access;
  /** Default: 200. */
  readonly status?: SuccessStatus;
  /**
   * The body is that of a generation under `/v1`, of up to 2 MiB. The route reads and refuses it as the route under `/v1` does: it checks maintenance
   * first, and its errors have the format of the request.
   */
  readonly takes?: 'generation';
  /** Starts a session, so it is refused at addresses where browsers do not store the session's cookie. */
  readonly wayIn?: true;
  /**
   * Also open to owners of accounts that are suspended or have a scheduled deletion (`inactive`), or only to those with a scheduled deletion
   * (`pending-deletion`). Reads are always open to all of them.
   */
  readonly openTo?: 'inactive' | 'pending-deletion';
  /** Also open before the person has agreed to the terms and the privacy notice. */
  readonly beforeConsent?: true;
  /** Sends an ETag and respects `If-None-Match`. Other replies are not cached. */
  readonly cache?: 'etag';
  /**
   * Attempts are limited by network and by subject: the `email` or `token` in the body, or the signed-in `person`. Successful attempts do not count,
   * except on routes that reply 202 to every attempt.
   */
  readonly attempts?: 'email' | 'token' | 'person';
  /** Open pages poll it, so it does not extend the session. */
  readonly isPolled?: true;
  /** Requires a proof within the last ten minutes: a password, a factor or a sign-in. */
  readonly fresh?: true;
}

/** The body of a generation, as the format's documentation describes it. */
export type GenerationBody = Readonly<Record<string, unknown>>;

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type Input<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;

export type ParamsOf<Route extends RouteParts> = Output<Route['params']>;
export type QueryOf<Route extends RouteParts> = Output<Route['query']>;
/** The body as the gateway reads it. */
export type BodyOf<Route extends RouteParts> = Output<Route['body']>;
/** The body as a client writes it. */
export type RequestBodyOf<Route extends RouteDefinition> = Route['takes'] extends 'generation' ? GenerationBody : Input<Route['body']>;
export type RequestQueryOf<Route extends RouteDefinition> = Input<Route['query']>;
export type ReplyOf<Route extends RouteParts> = Route['reply'] extends z.ZodType ? z.input<Route['reply']> : void;

/** Declares a route, and keeps the types of its parts. */
export function defineRoute<const Route extends RouteDefinition>(route: Route): Route {
  return route;
}
