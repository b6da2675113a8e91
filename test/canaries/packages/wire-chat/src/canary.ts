import * as core from '@tollgate/core';
import * as wireKit from '@tollgate/wire-kit';
import { z } from 'zod';
import * as wireMessages from '@tollgate/wire-messages';
import * as memory from '@tollgate/adapters-memory';
import { Buffer } from 'node:buffer';
