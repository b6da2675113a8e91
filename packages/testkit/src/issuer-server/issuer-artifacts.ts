import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';

/** What an issuer keeps of one kind: sessions, codes, grants … Lives as long as the issuer. */
export class IssuerArtifacts implements Adapter {
  readonly #kept = new Map<string, AdapterPayload>();

  /** A store for each kind of one issuer. */
  static store(): AdapterFactory {
    const kinds = new Map<string, IssuerArtifacts>();
    return (kind) => {
      const found = kinds.get(kind) ?? new IssuerArtifacts();
      kinds.set(kind, found);
      return found;
    };
  }

  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    this.#kept.set(id, payload);
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return this.#kept.get(id);
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return [...this.#kept.values()].find((payload) => payload.uid === uid);
  }

  async findByUserCode(): Promise<undefined> {}

  async consume(id: string): Promise<void> {
    const payload = this.#kept.get(id);
    if (payload !== undefined) this.#kept.set(id, { ...payload, consumed: Math.floor(Date.now() / 1_000) });
  }

  async destroy(id: string): Promise<void> {
    this.#kept.delete(id);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [id, payload] of this.#kept) {
      if (payload.grantId === grantId) this.#kept.delete(id);
    }
  }
}
