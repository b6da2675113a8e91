import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import type { Application } from 'express';

type MessageClasses = Required<Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>>;
type Constructor = abstract new (...values: never[]) => object;

/** What an application gives requests and replies as their prototypes; documented, and missing from its types. */
interface Prototypes {
  readonly request: object;
  readonly response: object;
}

/** A class whose objects have this prototype from the start. */
function withPrototype<Class extends Constructor>(base: Class, prototype: object): Class {
  function Message(...values: unknown[]): object {
    return Reflect.construct(base, values, Message) as object;
  }
  Message.prototype = prototype;
  return Message as unknown as Class;
}

/**
 * The requests and replies that a server is to make for an Express application. Express gives each of them another prototype
 * when it comes, after which the runtime treats it as an object of no known kind; these have the right one already.
 */
export function expressMessages(application: Application): MessageClasses {
  const { request, response } = application as unknown as Prototypes;
  return {
    IncomingMessage: withPrototype(IncomingMessage, request),
    ServerResponse: withPrototype<typeof ServerResponse>(ServerResponse, response),
  };
}
