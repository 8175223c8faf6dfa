import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { affectedRoles, needsNewStart } from '../../ops/dev/affected.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

describe('affectedRoles', () => {
  it.each([
    ['api/http/server.js', ['api']],
    ['ops/roles/api.js', ['api']],
    ['ops/roles/policies.js', ['worker']],
    ['ops/sandbox/server.js', ['sandbox']],
    ['domain/bookings/booking.js', ['worker', 'api', 'realtime']],
    ['commands/bookings/create.js', ['worker', 'api', 'realtime']],
    ['infra/ids.js', ['worker', 'api', 'realtime', 'sandbox']],
    ['ops/config.js', ['worker', 'api', 'realtime', 'sandbox']],
    ['ops/cli/main.js', []],
    ['ops/supervisor.js', []],
  ])('restarts for %s: %j', (file, roles) => {
    expect(affectedRoles([file])).toEqual(roles);
  });

  it('joins the roles of several files, without repeating one', () => {
    expect(affectedRoles(['api/http/server.js', 'ops/roles/policies.js', 'api/http/app.js'])).toEqual([
      'worker',
      'api',
    ]);
  });

  it('restarts every role for a new file in an unknown folder', () => {
    expect(affectedRoles(['newLayer/x.js'])).toEqual(['worker', 'api', 'realtime', 'sandbox']);
  });
});

describe('needsNewStart', () => {
  it.each(['ops/supervisor', 'ops/system', 'ops/roleProcess'])('names a module that exists: %s', (module) => {
    expect(needsNewStart(`${module}.js`)).toBe(true);
    expect(existsSync(path.join(ROOT, `${module}.ts`))).toBe(true);
  });

  it.each(['ops/dev', 'ops/postgres', 'eventstore/embedded'])('names a folder that has files: %s', (folder) => {
    const [first = ''] = readdirSync(path.join(ROOT, folder)).filter((file) => file.endsWith('.ts'));
    expect(needsNewStart(`${folder}/${first}`)).toBe(true);
  });
});
