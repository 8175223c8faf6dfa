/** What the modules declare: every text in both languages, and names that never change. */
import { type TSchema, TypeGuard } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { worthUntil } from '../../commands/core/notification.ts';
import { notificationDeclarations } from '../../commands/modules.ts';
import { isPersonal } from '../../domain/core/schema.ts';
import { amountText, countedRu, dayAndTime } from '../../domain/core/wording.ts';

const FORMATS: Readonly<Record<string, string>> = {
  uuid: '018f0000-0000-7000-8000-000000000001',
  date: '2026-12-30',
  'date-time': '2026-12-30T21:30:00.000Z',
};

const FREE = '<b>Grand "Hotel"</b>';
/** Texts of any words that no seller has chosen. */
const NOT_OF_SELLERS = 'reference tariff name_ru name_en lift title_ru title_en promo_code place'.split(' ');

/** All values that the branches of a text can depend on: each choice of an enum, null and a value, and so on. */
const samples = (name: string, schema: TSchema): unknown[] => {
  if (Array.isArray(schema.enum)) return schema.enum;
  if (TypeGuard.IsUnion(schema)) return schema.anyOf.flatMap((one) => samples(name, one));
  if (TypeGuard.IsNull(schema)) return [null];
  if (schema.type === 'integer') return [0, 1, 5, 123_456];
  if (schema.type === 'boolean') return [true, false];
  if (name === 'timezone') return ['Europe/Moscow'];
  if (schema.pattern === '^[A-Z]{3}$') return ['RUB'];
  return [FORMATS[String(schema.format)] ?? FREE];
};

describe.each(notificationDeclarations.map((each) => [each.name, each] as const))('%s', (_, declaration) => {
  const { params, text, link } = declaration;
  const any = fc.record(
    Object.fromEntries(
      Object.entries(params.properties).map(([name, schema]) => [name, fc.constantFrom(...samples(name, schema))]),
    ),
  );

  it('has a text in Russian and in English, whatever it is about', () => {
    fc.assert(
      fc.property(any, fc.constantFrom(1, 2, 5, 21), (given, count) => {
        const shown = { name: 'Anna I.', count };
        const [ru, en] = [text.ru(given as never, shown), text.en(given as never, shown)];
        for (const { title, body } of [ru, en]) {
          expect(title.length).toBeGreaterThan(1);
          expect(title.length).toBeLessThanOrEqual(80);
          expect(body).not.toMatch(/undefined|null|NaN|\[object|Invalid| {2}/);
        }
        expect(`${ru.title}${ru.body}`).toMatch(/[а-яё]{3}/i);
        expect(`${en.title}${en.body}`).not.toMatch(/[а-яё]/i);
        expect(link(given as never)).toMatch(/^\/[a-z]/);
        expect(worthUntil(declaration, given, '2026-12-30T00:00:00Z') > '2026-12-30T00:00:00Z').toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  if (declaration.mail)
    it('names nobody in an e-mail: one that waits would name them also after their erasure', () => {
      fc.assert(
        fc.property(any, (given) => {
          const shown = { name: 'Anna I.', count: 1 };
          expect(JSON.stringify([text.ru, text.en].map((one) => one(given as never, shown)))).not.toContain('Anna I.');
        }),
        { numRuns: 50 },
      );
    });

  it('has the title of something only beside whose it is, so that it goes with them', () => {
    const names = Object.keys(params.properties);
    if (names.includes('title')) expect(names).toContain('owner_id');
    for (const [name, schema] of Object.entries(params.properties))
      if (samples(name, schema).includes(FREE)) expect(['title', ...NOT_OF_SELLERS]).toContain(name);
  });

  it('stores nothing personal', () => {
    expect(Object.values(params.properties).some(isPersonal)).toBe(false);
  });
});

it('keeps the names under which notifications are stored', () => {
  expect(notificationDeclarations.map(({ name }) => name).toSorted()).toEqual([
    'account_erasure_pending',
    'account_security',
    'appeal_answered',
    'badge_awarded',
    'badge_revoked',
    'booking_cancelled',
    'booking_changed',
    'booking_confirmed',
    'booking_created',
    'booking_expired',
    'booking_no_show',
    'booking_no_show_withdrawn',
    'booking_paid',
    'booking_rejected',
    'booking_reminder',
    'booking_shortened',
    'call',
    'chat_mention',
    'chat_messages',
    'event_cancelled',
    'event_moved',
    'export_archive_ready',
    'favorite_became_free',
    'favorite_price_dropped',
    'flags_expired',
    'forum_answers',
    'forum_appeal_answered',
    'forum_moderation',
    'forum_reply',
    'friend_accepted',
    'friend_arrived',
    'friend_invited',
    'leaderboard_name_removed',
    'lift_alert_ended',
    'lift_queue_short',
    'mail_stopped',
    'message_removed',
    'owner_statement',
    'pass_days_given_back',
    'pass_refund_fixed',
    'pass_runs_out',
    'pass_started',
    'passes_ready',
    'passes_unblocked',
    'passes_unpaid',
    'payment_charged_back',
    'payment_failed',
    'payment_settings_changed',
    'phone_refused',
    'promotion_published',
    'refund_arrived',
    'review_answered',
    'review_hidden',
    'review_received',
    'role_request_answered',
    'seller_answer_overdue',
    'seller_booking',
    'seller_booking_cancelled',
    'seller_charged_back',
    'sos_answered',
    'sos_escalated',
    'sos_requested_again',
    'story_removed',
    'track_disqualified',
    'track_released',
    'track_set_aside',
    'voice_recording_removed',
  ]);
});

describe('wording', () => {
  it('writes dates by the clocks of the place', () => {
    expect(dayAndTime('en', 'Europe/Moscow', '2026-12-11T21:30:00Z')).toBe('12 December 2026, 00:30 (GMT+3)');
    expect(dayAndTime('ru', 'Europe/Moscow', '2026-12-11T21:30:00Z')).toBe('12 декабря 2026 г., 00:30 (GMT+3)');
  });

  it('writes amounts in major units', () => {
    expect(amountText('en', 450_050, 'RUB').replaceAll(/\s/g, ' ')).toBe('RUB 4,500.50');
    expect(amountText('ru', 450_000, 'RUB').replaceAll(/\s/g, ' ')).toBe('4 500 ₽');
  });

  it.each([
    [1, '1 сообщение'],
    [3, '3 сообщения'],
    [5, '5 сообщений'],
    [11, '11 сообщений'],
    [21, '21 сообщение'],
  ])('counts %i in Russian', (count, text) => {
    expect(countedRu(count, 'сообщение', 'сообщения', 'сообщений')).toBe(text);
  });
});
