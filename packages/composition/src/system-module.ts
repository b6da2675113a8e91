import { RandomIds, RandomSecretTokens, Sha256Hasher, SystemClock } from '@tollgate/adapters-node';
import { administrationServices } from './administration-services.js';
import { serviceModule } from './service-module.js';

/** Time and randomness of this machine, and the hasher of keys. */
export const systemModule = serviceModule((make) => {
  make(administrationServices.clock, {}, () => new SystemClock());
  make(administrationServices.ids, {}, () => new RandomIds());
  make(administrationServices.hasher, {}, () => new Sha256Hasher());
  make(administrationServices.secretTokens, {}, () => new RandomSecretTokens());
});
