import * as core from '@tollgate/core';
import * as programs from '@tollgate/testkit/programs';
