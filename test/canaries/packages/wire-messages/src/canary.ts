import * as core from '@tollgate/core';
import * as wireKit from '@tollgate/wire-kit';
import { z } from 'zod';
import * as wireChat from '@tollgate/wire-chat';
import * as sqlite from '@tollgate/adapters-sqlite';
