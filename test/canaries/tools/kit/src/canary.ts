import * as core from '@tollgate/core';
