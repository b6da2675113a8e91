import type { z } from 'zod';

export type RouteMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/**
 * Who may use a route. `anyone`: no session is looked at. `signed-in`: any session, also one that has yet to prove or set up a
 * second factor. `owner`: a session that has proved all it must. `operator`: the same of an operator; to others the route does not exist.
 */
export type Access = 'anyone' | 'signed-in' | 'owner' | 'operator';

/** How a route answers where it succeeds. `events` and `file` are written by the route itself. */
export type SuccessStatus = 200 | 201 | 202 | 204 | 303;

/** What a route writes by itself: no JSON value, or one that is not of this contract. */
export type ProducedType = 'application/json' | 'text/event-stream' | 'text/csv' | 'application/x-ndjson';

/** What routes of every contract have. */
export interface RouteParts {
  readonly method: RouteMethod;
  /** Below the root of the contract, parameters in braces: `/keys/{id}`. */
  readonly path: string;
  /** A sentence for the OpenAPI description. */
  readonly summary: string;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** The answer; left out for 204, and where the route writes it itself. */
  readonly reply?: z.ZodType;
}

/** A route below `/dashboard/api`. */
export interface RouteDefinition extends RouteParts {
  readonly access: Access;
  /** 200 unless said otherwise. */
  readonly status?: SuccessStatus;
  /**
   * The body is a request of `POST /v1/chat/completions` or `POST /v1/messages` of up to 2 MiB, which the route reads and refuses as those do:
   * in maintenance first of all, and with the errors of the format.
   */
  readonly takes?: 'generation';
  readonly produces?: ProducedType | readonly ProducedType[];
  /** Leads to a session, so it is refused at addresses where browsers keep none. */
  readonly wayIn?: true;
  /** Also for owners of suspended accounts (`inactive`), or of accounts about to be deleted alone (`pending-deletion`); reads always are. */
  readonly openTo?: 'inactive' | 'pending-deletion';
  /** The answer carries an ETag, and `If-None-Match` is heeded; other answers are kept by no cache. */
  readonly cache?: 'etag';
  /**
   * Tries are limited, by network and by what they are about: the `email` or the `token` in the body, or the `person` who is signed in.
   * A success is not counted, but for 202, which every try is answered with.
   */
  readonly attempts?: 'email' | 'token' | 'person';
  /** Open pages poll it, so a request does not extend the session. */
  readonly isPolled?: true;
  /** Wants a password, factor or sign-in link that was proved in the last ten minutes. */
  readonly fresh?: true;
}

/** The body of a generation; the formats' documentation says what is in it. */
export type GenerationBody = Readonly<Record<string, unknown>>;

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type Input<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;

export type ParamsOf<Route extends RouteParts> = Output<Route['params']>;
export type QueryOf<Route extends RouteParts> = Output<Route['query']>;
/** As the gateway reads it. */
export type BodyOf<Route extends RouteDefinition> = Output<Route['body']>;
/** As a client writes it. */
export type RequestBodyOf<Route extends RouteDefinition> = Route['takes'] extends 'generation' ? GenerationBody : Input<Route['body']>;
export type RequestQueryOf<Route extends RouteDefinition> = Input<Route['query']>;
export type ReplyOf<Route extends RouteParts> = Route['reply'] extends z.ZodType ? z.input<Route['reply']> : void;

/** Declares a route, and keeps the types of its parts. */
export function defineRoute<const Route extends RouteDefinition>(route: Route): Route {
  return route;
}
