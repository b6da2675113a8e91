import type { ModelProvider, ProviderCall, ProviderStream } from '@tollgate/core';
import type { UpstreamProvider } from '../routing/upstream-provider.js';
import { asUpstreamFailure } from '../upstream-failure.js';

/** A provider whose calls tell in a word how they go: `answered`, or the reason of a failure. */
export class ToldProvider implements ModelProvider {
  constructor(private readonly provider: UpstreamProvider, private readonly tell: (word: string) => void = () => undefined) {}

  async open(call: ProviderCall): Promise<ProviderStream> {
    const { tell } = this;
    try {
      return await this.provider.open(call, { answered: () => tell('answered'), failed: ({ reason }) => tell(reason) });
    } catch (thrown) {
      tell(asUpstreamFailure(thrown).reason);
      throw thrown;
    }
  }

  close(): Promise<void> {
    return this.provider.close();
  }
}
