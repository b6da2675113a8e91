import {
  type Caller, type Clock, collectGeneration, type DecodedRequest, type EncodeContext, type Generation,
  type GenerationService, type IdGenerator, type WireFormat,
} from '@tollgate/core';
import { quotaHeaders, servedModelHeaders, settlementHeaders } from '@tollgate/wire-kit';
import type { AdmissionGate } from '../../http/admission-gate.js';
import { readJsonBody } from '../../http/body/read-json-body.js';
import type { Endpoint } from '../../http/endpoint.js';
import type { Exchange } from '../../http/exchange.js';
import type { ErrorReply } from '../../http/reply/error-reply.js';
import { sendJsonText } from '../../http/reply/send-json.js';
import { setHeaders } from '../../http/reply/set-headers.js';
import { writeSse } from '../../http/reply/write-sse.js';

export interface GenerationEndpointPorts {
  readonly generations: GenerationService;
  readonly gate: AdmissionGate;
  readonly errors: ErrorReply;
  readonly ids: IdGenerator;
  readonly clock: Clock;
}

/** A reply under way: who asked, what is generated, and how its format is to show it. */
interface Reply {
  readonly exchange: Exchange;
  readonly generation: Generation;
  readonly context: EncodeContext;
}

/** Generates in one wire format. Nothing after the decoding of the request depends on which format it is. */
class GenerationHandler {
  constructor(private readonly ports: GenerationEndpointPorts, private readonly format: WireFormat) {}

  async handle(exchange: Exchange, caller: Caller): Promise<void> {
    const decoded = this.format.decodeRequest(await readJsonBody(exchange));
    this.ports.gate.check();
    const generation = await this.generate(exchange, caller, decoded);
    setHeaders(exchange.res, quotaHeaders(generation.quota));
    setHeaders(exchange.res, servedModelHeaders(generation.servedBy));
    const reply = { exchange, generation, context: this.contextOf(exchange, decoded) };
    if (decoded.delivery === 'stream') await this.stream(reply);
    else await this.sendWhole(reply);
  }

  private generate({ requestId, signal, startedAt }: Exchange, caller: Caller, decoded: DecodedRequest): Promise<Generation> {
    return this.ports.generations.generate({
      caller, requestId, request: decoded.generation, format: this.format.name, delivery: decoded.delivery, signal, startedAt,
    });
  }

  private contextOf({ requestId }: Exchange, { includeUsage }: DecodedRequest): EncodeContext {
    const { ids, clock } = this.ports;
    return { responseId: ids.responseId(this.format.responseIdPrefix), createdAt: clock.now(), requestId, includeUsage };
  }

  private async stream({ exchange, generation, context }: Reply): Promise<void> {
    await writeSse({
      res: exchange.res,
      events: generation.events,
      encoder: this.format.streamEncoder(context),
      keepAliveFrame: this.format.keepAliveFrame,
      clock: this.ports.clock,
      onFailure: (error) => this.ports.errors.noteBrokenStream(exchange, error),
    });
  }

  private async sendWhole({ exchange, generation, context }: Reply): Promise<void> {
    const completed = await collectGeneration(generation.events);
    setHeaders(exchange.res, settlementHeaders(completed.settlement));
    sendJsonText(exchange, 200, this.format.encodeResponse(completed, context));
  }
}

/** The endpoint that generates in a wire format. */
export function generationEndpoint(path: string, format: WireFormat, ports: GenerationEndpointPorts): Endpoint {
  const handler = new GenerationHandler(ports, format);
  return { method: 'post', path, statesQuota: true, handle: (exchange, caller) => handler.handle(exchange, caller) };
}
