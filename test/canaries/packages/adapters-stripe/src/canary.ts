import * as core from '@tollgate/core';
import { once } from 'node:events';
import { Stripe } from 'stripe';
import * as memory from '@tollgate/adapters-memory';
import { fetch } from 'undici';
