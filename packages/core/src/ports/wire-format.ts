import type { WireFormatName } from '../billing/usage-record.js';
import type { GatewayError } from '../errors/gateway-error.js';
import type { ContextOverflow, ErrorText } from '../errors/refusal-details.js';
import type { CompletedGeneration } from '../generation/collect-generation.js';
import type { GenerationEventBatch } from '../generation/generation-event.js';
import type { GenerationRequest, RequestSource } from '../generation/generation-request.js';
import type { RequestLimits } from '../models/request-limits.js';
import type { AccountId, JsonObject, RequestId, TokenCount } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';
import type { ResponseToKeep, StoredResponse } from './response-store.js';

export interface DecodedRequest<Echo = unknown> {
  readonly generation: GenerationRequest;
  readonly delivery: 'whole' | 'stream';
  /** Whether a stream's last event carries token counts. */
  readonly includeUsage: boolean;
  /** The field that bounds the output, as the client wrote it. */
  readonly outputField: string;
  /** What the reply repeats of its request or depends on; opaque to all but its own format. */
  readonly echo?: Echo;
}

/** What a format may have to know of the installation and the caller to decode a request. */
export interface DecodeTerms {
  readonly limits: RequestLimits;
  readonly accountId: AccountId;
  /** The stored responses that the request refers to, by id. */
  readonly stored: ReadonlyMap<string, StoredResponse>;
  /** Whether the request refers to more than `STORED_BYTES_OF_REQUEST_MAXIMUM`; `stored` does not have all of it then. */
  readonly exceedsStored: boolean;
  /** The texts of `stored`, if they were parsed before; otherwise they are parsed as they are needed. */
  readonly texts?: StoredTexts;
  /** Whether replies are kept where their requests want it. */
  readonly keepsReplies: boolean;
}

/** The texts of stored responses, which are parsed in pieces, since all of them take long. */
export interface StoredTexts {
  /** Parses texts until they have at least so many characters together; `false` when none is left. */
  parseSome(characters: number): boolean;
}

export interface EncodeContext {
  readonly responseId: string;
  readonly createdAt: Instant;
  readonly requestId: RequestId;
  readonly includeUsage: boolean;
  /** The request's own. */
  readonly echo?: unknown;
}

/** One per streamed reply: remembers only what its format needs between events. */
export interface StreamEncoder {
  /** The frames of events in order, ready to be sent; may be empty. */
  encode(events: GenerationEventBatch): string;
  /** The frames that end a stream which cannot go on; nothing follows them. */
  encodeError(error: GatewayError): string;
  /** What to send while the stream is silent, where the format's keep-alive depends on what was sent before it. */
  keepAlive?(): string;
}

/** One wire format: requests in, replies out. */
export interface WireFormat {
  readonly name: WireFormatName;
  readonly responseIdPrefix: string;
  /** Sent while a stream is silent; clients ignore it. */
  readonly keepAliveFrame: string;
  /** `source` tells how the body was written; without terms the default limits apply. Throws `GatewayError('invalid_request')` that names the field. */
  decodeRequest(body: unknown, source?: RequestSource | null, terms?: DecodeTerms): DecodedRequest;
  /** Words why a request does not fit; `outputField` is the request's own. */
  describeOverflow(overflow: ContextOverflow, outputField: string): ErrorText;
  /** The reply as JSON text, so that what a model wrote as JSON goes out as it was written. */
  encodeResponse(generation: CompletedGeneration, context: EncodeContext): string;
  streamEncoder(context: EncodeContext): StreamEncoder;
  encodeError(error: GatewayError, requestId: RequestId): JsonObject;
}

/** The part of a format that only counts. */
export interface TokenCountFormat {
  decodeTokenCount(body: unknown, terms?: DecodeTerms): GenerationRequest;
  encodeTokenCount(inputTokens: TokenCount): JsonObject;
}

/** The stored responses that a request needs to be decoded. */
export interface StoredReferences {
  /** The response it continues, with all that this one continues; `null` for a request that stands alone. */
  readonly previousId: string | null;
  /** Responses of which it names single items. */
  readonly responseIds: readonly string[];
}

/** The part of a format whose requests may refer to earlier replies. */
export interface StoringFormat {
  /** The texts that a request refers to, none of them parsed yet. */
  textsOf(references: StoredReferences, found: Pick<DecodeTerms, 'stored' | 'exceedsStored'>): StoredTexts;
  /** Looks at the references only: a body that is not sound is refused by `decodeRequest`. */
  referencesIn(body: unknown): StoredReferences;
  /** Whether the reply is to be kept, if it can be. */
  wantsKeeping(context: EncodeContext): boolean;
  /** What to keep of a reply; `null` for a request that wants nothing kept. */
  keptForm(generation: CompletedGeneration, context: EncodeContext): ResponseToKeep | null;
  /** The request's own items of a stored response, in order, as the format lists them. */
  inputItemsOf(response: StoredResponse): readonly (JsonObject & { readonly id: string })[];
  /** Has the end of the reply say that it is kept, in this form. Call it before that end is encoded. */
  markKept(context: EncodeContext, form: ResponseToKeep): void;
}

/** Encrypts and authenticates what a client stores for an account between two requests. Every gateway of an installation reads what another sealed. */
export interface ReasoningSeal {
  /** Printable ASCII without quotes or backslashes. */
  seal(accountId: AccountId, text: string): string;
  /** The text; `null` for one that was sealed for another account or installation, was changed, or cannot be read. Never throws. */
  open(accountId: AccountId, sealed: string): string | null;
}
