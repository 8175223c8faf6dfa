// Generated from openapi.json and asyncapi.json: see CONTRIBUTING.md, "Update committed documents".

export interface components {
  schemas: {
    Account: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      role: "tourist" | "hotelier" | "tour_operator" | "transfer_provider" | "instructor" | "restaurant" | "admin";
      email: string | null;
      email_verified: boolean;
      phone: string | null;
      first_name: string;
      last_name: string;
      language: string;
      has_password: boolean;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
    };
    ActiveDay: {
      /** Format: date */
      day: string;
      people: number;
      visits: number;
    };
    AdjustmentStatus: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      status: "requested" | "approved" | "rejected";
    };
    AdminBadge: {
      /** Format: uuid */
      id: string;
      name: {
        ru: string;
        en: string;
      };
      description: {
        ru: string;
        en: string;
      };
      /** @enum {string} */
      metric: "sessions" | "vertical" | "distance" | "runs" | "days" | "passes" | "bookings" | "reviews" | "friends";
      /** @description Metres, or a number. */
      threshold: number;
      /**
       * @description All of it must happen in one day, ISO week, month or season; or ever.
       * @enum {string}
       */
      window: "day" | "week" | "month" | "season" | "ever";
      season: number | null;
      /** Format: date-time */
      created_at: string;
      retired_at: string | null;
      /** @description Who has it. */
      holders: number;
      /** @description Who has reached it by the rule as it is now. */
      qualifying: number;
    };
    AdminPost: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      kind: "news" | "promotion" | "event";
      texts: {
        ru: {
          title: string;
          summary: string;
          body: string;
        } | null;
        en: {
          title: string;
          summary: string;
          body: string;
        } | null;
      };
      images: {
          /** Format: uri */
          url: string;
          is_main: boolean;
        }[];
      link: string | null;
      promo_code: string | null;
      happening: ({
        place: string;
        location: {
          latitude: number;
          longitude: number;
        } | null;
        /** Format: date-time */
        starts_at: string;
        /** Format: date-time */
        ends_at: string;
        timezone: string;
      }) | null;
      publish_at: string | null;
      expires_at: string | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
      /**
       * @description At the time of the reply.
       * @enum {string}
       */
      state: "draft" | "scheduled" | "published" | "expired";
    };
    AdminWebcam: {
      /** Format: uuid */
      id: string;
      name: string;
      description: string;
      /** Format: uri */
      snapshot_url: string;
      longitude: number | null;
      latitude: number | null;
      /** Format: date-time */
      updated_at: string;
    };
    AnalyticsEvent: {
      /**
       * Format: uuid
       * @description Chosen by the app once for each event; the same when it is sent again.
       */
      event_id: string;
      /** @enum {string} */
      kind: "screen_view" | "click" | "conversion";
      name: string;
      /**
       * Format: date-time
       * @description By the clock of the device. The same when it is sent again.
       */
      occurred_at: string;
      /**
       * Format: uuid
       * @description One for each visit.
       */
      session_id: string;
      /** @description At most 8 KiB. No names, addresses or other texts of people. */
      properties?: Record<string, never>;
    };
    AnalyticsEventBatch: {
      events: components["schemas"]["AnalyticsEvent"][];
      /**
       * Format: date-time
       * @description When the request was sent, by the clock of the device. A clock that is 2 to 60 minutes wrong is corrected by it.
       */
      sent_at?: string;
    };
    ApiKey: {
      /** Format: uuid */
      id: string;
      name: string;
      scopes: ("hotels:read" | "rooms:read" | "availability:read" | "audit:read" | "passes:scan" | "snow:report")[];
      allowed_domains: string[];
      expires_at: string | null;
      /** Format: date-time */
      created_at: string;
      rotated_at: string | null;
      revoked_at: string | null;
      last_used_at: string | null;
    };
    AppConfig: {
      /** @description Rises with every change of the configuration. */
      revision: number;
      rescue_phone: string;
      /** @description A semantic version. */
      latest_version: string;
      /** @description An app older than this must be updated before it is used. */
      force_update_below: string;
      urls: {
        [key: string]: string;
      };
      /** @description Russian and English, also of a country (`en-GB`). The first one is the default. */
      languages: string[];
      /** @description IANA time zone of the resort. */
      timezone: string;
      currency: string;
      platforms: {
        ios: {
          /** @description A semantic version. */
          latest_version: string;
          /** @description An app older than this must be updated before it is used. */
          force_update_below: string;
          /** Format: uri */
          store_url?: string;
        };
        android: {
          /** @description A semantic version. */
          latest_version: string;
          /** @description An app older than this must be updated before it is used. */
          force_update_below: string;
          /** Format: uri */
          store_url?: string;
        };
        web: {
          /** @description A semantic version. */
          latest_version: string;
          /** @description An app older than this must be updated before it is used. */
          force_update_below: string;
          /** Format: uri */
          store_url?: string;
        };
      };
      /** @description The parts of the product: false is closed for nobody in particular. */
      modules: {
        [key: string]: boolean;
      };
      /** @description The feature flags of nobody in particular. */
      flags: {
        [key: string]: components["schemas"]["FlagState"];
      };
    };
    Appeal: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      account_id: string;
      /**
       * @description What was removed, or `sanction` for a mute or a ban.
       * @enum {string}
       */
      kind: "post" | "topic" | "sanction" | "review" | "story" | "leaderboard_name" | "message" | "voice_recording";
      /**
       * Format: uuid
       * @description Of what was removed, or of the sanction.
       */
      subject_id: string;
      /** @enum {string} */
      status: "open" | "accepted" | "refused";
      /** Format: date-time */
      created_at: string;
      answered_at: string | null;
      is_undone: boolean | null;
      text: string | null;
      answer: string | null;
    };
    Attachment: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      mime: "image/jpeg" | "image/webp" | "audio/mp4" | "audio/mpeg" | "audio/aac" | "audio/ogg" | "audio/webm" | "audio/wav" | "video/mp4" | "video/webm" | "application/pdf";
      /** @description In bytes. */
      size: number;
      width: number | null;
      height: number | null;
      duration_s: number | null;
      /** @description Where the file is read, without a token. Of private files it works for two to three days. */
      url: string;
      thumbnail_url: string | null;
    };
    Attendee: {
      /** Format: uuid */
      user_id: string;
      /** Format: date-time */
      at: string;
    };
    AuditEvent: {
      /** Format: uuid */
      event_id: string;
      /** @description Position in the event log, like `x-event-position`. */
      position: string;
      stream: string;
      revision: number;
      type: string;
      /** Format: date-time */
      at: string;
      actor: {
        kind: string;
        id: string;
        role: string;
      };
      /** @description Shared by all events that one request or job led to. */
      correlation_id: string;
      /** @description The command or event that caused this event. */
      causation_id: string;
      command_id: string;
      ip: string | null;
      /** @description Values are `[erased]` for erased people, and `[hidden]` for secrets and, without a reason, for what is personal. */
      data?: unknown;
    };
    Availability: {
      /** Format: uuid */
      hotel_id: string;
      /** Format: date */
      check_in: string;
      /** Format: date */
      check_out: string;
      nights: number;
      guests: number;
      currency: string;
      rooms: components["schemas"]["RoomOffer"][];
    };
    Badge: {
      /** Format: uuid */
      id: string;
      name: {
        ru: string;
        en: string;
      };
      description: {
        ru: string;
        en: string;
      };
      /** @enum {string} */
      metric: "sessions" | "vertical" | "distance" | "runs" | "days" | "passes" | "bookings" | "reviews" | "friends";
      /** @description Metres, or a number. */
      threshold: number;
      /**
       * @description All of it must happen in one day, ISO week, month or season; or ever.
       * @enum {string}
       */
      window: "day" | "week" | "month" | "season" | "ever";
      season: number | null;
    };
    BadgePreview: {
      /** @enum {string} */
      metric: "sessions" | "vertical" | "distance" | "runs" | "days" | "passes" | "bookings" | "reviews" | "friends";
      /** @description Metres, or a number. */
      threshold: number;
      /**
       * @description All of it must happen in one day, ISO week, month or season; or ever.
       * @enum {string}
       */
      window: "day" | "week" | "month" | "season" | "ever";
      season?: number | null;
    };
    Booking: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      user_id: string;
      /** Format: uuid */
      provider_id: string;
      reference: string;
      /** @enum {string} */
      status: "pending_payment" | "paid" | "confirmed" | "completed" | "expired" | "cancelled" | "rejected" | "no_show";
      /**
       * @description `instant`: a paid booking is certain. `on_request`: the seller confirms or rejects it, until `answer_by` of the booking.
       * @enum {string}
       */
      confirmation: "instant" | "on_request";
      answer_by: string | null;
      /** @enum {string} */
      type: "hotel" | "tour" | "restaurant" | "transfer" | "instructor";
      /** Format: uuid */
      listing_id: string;
      /** Format: uuid */
      item_id: string;
      /** Format: uuid */
      unit_id: string;
      check_in: string | null;
      check_out: string | null;
      slot_start: string | null;
      slot_end: string | null;
      seats: number | null;
      guests: number;
      /** Format: date */
      starts_on: string;
      /** Format: date-time */
      starts_at: string;
      /** Format: date-time */
      ends_at: string;
      timezone: string | null;
      currency: string;
      total_minor: number;
      notes: string | null;
      guest_name: string | null;
      guest_phone: string | null;
      arrival_time: string | null;
      hold_expires_at: string | null;
      cancellation_policy: {
        /** @enum {string} */
        name: "flexible" | "moderate" | "strict" | "non_refundable";
        rules: {
            from: number;
            penalty_percent: number;
            /**
             * Format: date-time
             * @description It applies to cancellations until then, that instant included.
             */
            until: string;
          }[];
      };
      payment_id: string | null;
      payment_ids: string[];
      open_payment_id: string | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
      price_lines: ({
          /** @enum {string} */
          kind: "night" | "tax" | "fee" | "item" | "discount" | "refund";
          /** Format: date */
          date?: string;
          name?: string;
          quantity?: number;
          unit?: number;
          unit_minor?: number;
          amount: number;
          amount_minor: number;
        })[];
      total: number;
      nights: number | null;
      title: string | null;
      unit_title: string | null;
      ending: ({
        /** @enum {string} */
        by: "guest" | "provider" | "admin" | "system";
        reason: string | null;
        penalty_percent: number;
        penalty_minor: number;
        refund_minor: number;
        penalty: number;
        refund: number;
      }) | null;
      promotion: ({
        /** Format: uuid */
        promo_code_id: string;
        code: string;
        /** @enum {string} */
        bearer: "platform" | "seller";
        discount_minor: number;
        discount: number;
      }) | null;
      change: ({
        /** Format: uuid */
        unit_id: string;
        check_in: string | null;
        check_out: string | null;
        slot_start: string | null;
        slot_end: string | null;
        guests: number;
        /** Format: date-time */
        starts_at: string;
        /** Format: date-time */
        ends_at: string;
        price_lines: ({
            /** @enum {string} */
            kind: "night" | "tax" | "fee" | "item" | "discount" | "refund";
            /** Format: date */
            date?: string;
            name?: string;
            quantity?: number;
            unit?: number;
            unit_minor?: number;
            amount: number;
            amount_minor: number;
          })[];
        currency: string;
        total_minor: number;
        due_minor: number;
        /** Format: date-time */
        expires_at: string;
        total: number;
        due: number;
      }) | null;
      /** @description How the price is divided between the platform and the seller: the total, or the price before a discount that the platform bears. Only for: seller, admin. */
      commission?: {
        /** @enum {string} */
        rule: "owner" | "type_role" | "role" | "global" | "default";
        rate_bps: number;
        commission_minor: number;
        provider_minor: number;
        commission: number;
        provider: number;
      };
    };
    BookingConversion: {
      /** @description Bookings that were made in the period. */
      booked: number;
      /** @description Those of them that have been paid since. */
      paid: number;
      rate: number | null;
    };
    BookingFunnel: {
      /** @enum {string} */
      type: "hotel" | "tour" | "restaurant" | "transfer" | "instructor";
      currency: string;
      created: components["schemas"]["FunnelStage"];
      payment_started: components["schemas"]["FunnelStage"];
      captured: components["schemas"]["FunnelStage"];
      released: components["schemas"]["FunnelStage"];
      refunded: components["schemas"]["FunnelStage"];
      commission: components["schemas"]["FunnelStage"];
    };
    BookingQuote: {
      currency: string;
      total: number;
      total_minor: number;
      price_lines: ({
          /** @enum {string} */
          kind: "night" | "tax" | "fee" | "item" | "discount" | "refund";
          /** Format: date */
          date?: string;
          name?: string;
          quantity?: number;
          unit?: number;
          unit_minor?: number;
          amount: number;
          amount_minor: number;
        })[];
      discount: number;
      discount_minor: number;
      cancellation_policy: {
        /** @enum {string} */
        name: "flexible" | "moderate" | "strict" | "non_refundable";
        rules: {
            from: number;
            penalty_percent: number;
            /**
             * Format: date-time
             * @description It applies to cancellations until then, that instant included.
             */
            until: string;
          }[];
      };
    };
    BookingTermsChange: {
      /** Format: date */
      check_in?: string;
      /** Format: date */
      check_out?: string;
      /** Format: date-time */
      slot_start?: string;
      /** Format: date-time */
      slot_end?: string;
      guests?: number;
      /** @description Only from a seller who shortens a stay that has begun: what the guest gets back. Nothing by default. */
      refund?: number;
    };
    BookingUpdate: {
      /** Format: date */
      check_in?: string;
      /** Format: date */
      check_out?: string;
      /** Format: date-time */
      slot_start?: string;
      /** Format: date-time */
      slot_end?: string;
      guests?: number;
      /** @description Only from a seller who shortens a stay that has begun: what the guest gets back. Nothing by default. */
      refund?: number;
      /** @description The total that the customer was shown. If it has changed, the answer is 409 `price_changed` with the new quote. */
      expected_total?: number;
      notes?: string | null;
      /** @description For the seller. The name of the profile by default; null: not told. */
      guest_name?: string | null;
      /** @description For the seller, with the country code. The number of the profile by default; null: not told. */
      guest_phone?: string | null;
      /** @description When the guest expects to come: `HH:MM` in the local time of the place. */
      arrival_time?: string | null;
    };
    BookingsOfDay: {
      /** Format: date */
      day: string;
      /** @enum {string} */
      type: "hotel" | "tour" | "restaurant" | "transfer" | "instructor";
      booked: number;
      paid: number;
      cancelled: number;
      rejected: number;
      expired: number;
    };
    Call: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      caller_id: string;
      /** Format: uuid */
      callee_id: string;
      /** @enum {string} */
      kind: "audio" | "video";
      /** @enum {string} */
      status: "ringing" | "accepted" | "ended" | "missed" | "rejected" | "busy" | "failed";
      end_reason: ("hung_up" | "failed" | "too_long" | "both_gone") | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      rings_until: string;
      accepted_at: string | null;
      ended_at: string | null;
      /** @description First and last name of a call that was answered, otherwise `Anna O.`; `Deleted user` once the account is erased. */
      caller_name: string;
      /** @description First and last name of a call that was answered, otherwise `Anna O.`; `Deleted user` once the account is erased. */
      callee_name: string;
      duration_s: number | null;
    };
    CancellationQuote: {
      penalty_percent: number;
      penalty: number;
      penalty_minor: number;
      refund: number;
      refund_minor: number;
      currency: string;
      until: string | null;
    };
    ChangeQuote: {
      currency: string;
      total: number;
      total_minor: number;
      price_lines: ({
          /** @enum {string} */
          kind: "night" | "tax" | "fee" | "item" | "discount" | "refund";
          /** Format: date */
          date?: string;
          name?: string;
          quantity?: number;
          unit?: number;
          unit_minor?: number;
          amount: number;
          amount_minor: number;
        })[];
      due: number;
      due_minor: number;
      penalty_percent: number;
      penalty: number;
      penalty_minor: number;
      refund: number;
      refund_minor: number;
      cancellation_policy: {
        /** @enum {string} */
        name: "flexible" | "moderate" | "strict" | "non_refundable";
        rules: {
            from: number;
            penalty_percent: number;
            /**
             * Format: date-time
             * @description It applies to cancellations until then, that instant included.
             */
            until: string;
          }[];
      };
    };
    Chat: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: "p2p" | "group" | "support";
      title: string | null;
      /** Format: uuid */
      created_by: string;
      /** Format: date-time */
      created_at: string;
      /** @description In the order in which they joined. Lists show at most 10. */
      participants: components["schemas"]["ChatParticipant"][];
      participants_count: number;
      /** @description The number of the newest message; 0: none. */
      last_seq: number;
      /** Format: date-time */
      active_at: string;
      last_message: components["schemas"]["Message"] | null;
      /** @description Messages of others that exist and were not read, counted up to 1000. */
      unread_count: number;
      /** @description Of the unread messages that are counted, those that mention the user. */
      mention_count: number;
      pinned: boolean;
      muted: boolean;
      archived: boolean;
    };
    ChatParticipant: {
      /** Format: uuid */
      thread_id: string;
      /** Format: uuid */
      account_id: string;
      /** @enum {string} */
      role: "member" | "admin";
      /** Format: date-time */
      joined_at: string;
      /** @description Messages up to this number were sent before they joined. */
      joined_seq: number;
      /** @description They have read everything up to this number. Of the other person it is 0 while one of the two has blocked the other. */
      last_read_seq: number;
      /** @enum {string} */
      thread_type: "p2p" | "group" | "support";
      /** @description First and last name once they have written in the chat, and between friends; `Anna O.` before; `Deleted user` once the account is erased. */
      name: string;
    };
    ChatReport: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      reporter_id: string;
      /** @description What is reported: `message`, `review` and so on. */
      subject_kind: string;
      /** Format: uuid */
      subject_id: string;
      within_id: string | null;
      reason: string;
      /** @enum {string} */
      status: "open" | "resolved";
      action: ("dismissed" | "removed") | null;
      resolved_by: string | null;
      resolved_at: string | null;
      /** Format: date-time */
      created_at: string;
      /** @description What it said each time it was reported, whatever its author has done since, until 30 days after the last report or appeal about it was answered; then empty. */
      reported_texts: {
          text: string;
          /** Format: date-time */
          kept_at: string;
        }[];
      /** @description What is reported; null: it does not exist any more. */
      content: (components["schemas"]["Message"] | components["schemas"]["ReportedChat"]) | null;
    };
    Cohort: {
      /**
       * Format: date
       * @description Monday of the week in which they were first seen.
       */
      week: string;
      size: number;
      /** @description How many of them were active in that week, the next one, and so on. */
      active: number[];
    };
    CommissionChange: {
      /** Format: date-time */
      at: string;
      actor_id: string;
      actor_role: string;
      /** @enum {string} */
      rule: "owner" | "type_role" | "role" | "global" | "default";
      owner_id: string | null;
      role: ("tourist" | "hotelier" | "tour_operator" | "transfer_provider" | "instructor" | "restaurant" | "admin") | null;
      type: ("hotel" | "tour" | "restaurant" | "transfer" | "instructor") | null;
      rate_bps: number | null;
      rate_percent: number | null;
    };
    CommissionRate: {
      /** @enum {string} */
      rule: "owner" | "type_role" | "role" | "global" | "default";
      rate_bps: number;
      /** @description At most two decimals. */
      rate_percent: number;
    };
    CommissionRule: {
      /** @enum {string} */
      rule: "owner" | "type_role" | "role" | "global" | "default";
      owner_id: string | null;
      role: ("tourist" | "hotelier" | "tour_operator" | "transfer_provider" | "instructor" | "restaurant" | "admin") | null;
      type: ("hotel" | "tour" | "restaurant" | "transfer" | "instructor") | null;
      rate_bps: number;
      /** Format: date-time */
      updated_at: string;
      updated_by: string;
      /** @description At most two decimals. */
      rate_percent: number;
    };
    Company: {
      /** Format: uuid */
      id: string;
      name: string;
      city: string;
      address: string;
      description: string;
      sells: ("hotel" | "tour" | "restaurant" | "transfer" | "instructor")[];
      website: string | null;
      images: {
          /** Format: uri */
          url: string;
          is_main: boolean;
        }[];
      location: {
        latitude: number;
        longitude: number;
      };
      /** @description IANA name. All times of the listing are in this zone. */
      timezone: string;
      currency: string;
      min_price: number | null;
      /** @description The lowest price; null without a price. */
      min_price_minor: number | null;
      distance_km: number | null;
      rating: number | null;
      reviews_count: number;
      /** @description Whether it is a favourite of the caller. Absent for those who are not signed in. */
      is_favorite?: boolean;
    };
    CompanyUpdate: {
      name?: string;
      city?: string;
      address?: string;
      description?: string;
      sells?: ("hotel" | "tour" | "restaurant" | "transfer" | "instructor")[];
      website?: string | null;
      /** @description Each has either `url` or `file_id`. At most one is the main one. */
      images?: {
          /**
           * Format: uri
           * @description Of a picture that is elsewhere, or as a reply has it.
           */
          url?: string;
          /**
           * Format: uuid
           * @description Of a picture that was uploaded to the folder `listings`.
           */
          file_id?: string;
          is_main: boolean;
        }[];
      location?: {
        latitude: number;
        longitude: number;
      };
      /**
       * @description A `closed` listing is not listed and cannot be booked.
       * @enum {string}
       */
      status?: "closed" | "published";
    };
    Consent: {
      /** @enum {string} */
      purpose: "data_processing" | "marketing" | "analytics" | "recommendations";
      policy_version: string;
      /** @description The text of the policy. */
      url: string | null;
      /** @description false: the account cannot be used without it. */
      voluntary: boolean;
      /** @description Whether the person agrees to the policy that is in force. */
      granted: boolean;
      answered_version: string | null;
      answered_at: string | null;
      /** @description They have not answered for the policy that is in force. */
      must_ask: boolean;
    };
    ConsentAnswer: {
      /** @enum {string} */
      purpose: "data_processing" | "marketing" | "analytics" | "recommendations";
      policy_version: string;
      granted: boolean;
    };
    ConsentPolicy: {
      /** @enum {string} */
      purpose: "data_processing" | "marketing" | "analytics" | "recommendations";
      policy_version: string;
      /** @description The text of the policy. */
      url: string | null;
      /** @description false: the account cannot be used without it. */
      voluntary: boolean;
    };
    ConsentRecord: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      purpose: "data_processing" | "marketing" | "analytics" | "recommendations";
      policy_version: string;
      granted: boolean;
      /** Format: date-time */
      at: string;
      ip: string | null;
      user_agent: string | null;
    };
    CurrentUser: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      role: "tourist" | "hotelier" | "tour_operator" | "transfer_provider" | "instructor" | "restaurant" | "admin";
      email: string | null;
      email_verified: boolean;
      phone: string | null;
      first_name: string;
      last_name: string;
      language: string;
      has_password: boolean;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
      /** @description What the person has not answered yet, also because the policy has a new version. */
      consent_required: components["schemas"]["ConsentPolicy"][];
    };
    DayPlan: {
      /** @description What it is worth by the weights. It compares plans of one reply. */
      points: number;
      /** Format: date-time */
      starts_at: string;
      /** Format: date-time */
      ends_at: string;
      /** @description Vertical metres on slopes. */
      descent_m: number;
      /** @description Metres on slopes. */
      distance_m: number;
      runs: number;
      lift_rides: number;
      waiting_minutes: number;
      steps: (({
          /** @enum {unknown} */
          type: "lift" | "slope" | "lunch" | "wait";
        }) & (components["schemas"]["PlannedLift"] | components["schemas"]["PlannedRun"] | components["schemas"]["PlannedLunch"] | components["schemas"]["PlannedWait"]))[];
      /** @description When one of these closes, the plan must be made again. */
      depends_on: {
        lifts: string[];
        slopes: string[];
      };
    };
    EditedCompany: {
      /** Format: uuid */
      id: string;
      name: string;
      city: string;
      address: string;
      description: string;
      sells: ("hotel" | "tour" | "restaurant" | "transfer" | "instructor")[];
      website: string | null;
      images: {
          /** Format: uri */
          url: string;
          is_main: boolean;
        }[];
      location: {
        latitude: number;
        longitude: number;
      };
      /** @description IANA name. All times of the listing are in this zone. */
      timezone: string;
      currency: string;
      /** Format: uuid */
      owner_id: string;
      /**
       * @description A `closed` listing is not listed and cannot be booked.
       * @enum {string}
       */
      status: "closed" | "published";
    };
    EditedHotel: {
      /** Format: uuid */
      id: string;
      name: string;
      city: string;
      address: string;
      stars: number;
      description: string;
      amenities: string[];
      images: {
          /** Format: uri */
          url: string;
          is_main: boolean;
        }[];
      location: {
        latitude: number;
        longitude: number;
      };
      /** @enum {string} */
      cancellation_policy: "flexible" | "moderate" | "strict" | "non_refundable";
      /**
       * @description `instant`: a paid booking is certain. `on_request`: the seller confirms or rejects it, until `answer_by` of the booking.
       * @enum {string}
       */
      confirmation: "instant" | "on_request";
      charges: (({
          /** @enum {string} */
          kind: "tax" | "fee";
          name: string;
          bps: number;
        }) | ({
          /** @enum {string} */
          kind: "tax" | "fee";
          name: string;
          per_night: number;
          per_night_minor: number;
        }))[];
      /** @description IANA name. All times of the listing are in this zone. */
      timezone: string;
      currency: string;
      /** Format: uuid */
      owner_id: string;
      /**
       * @description A `closed` listing is not listed and cannot be booked.
       * @enum {string}
       */
      status: "closed" | "published";
    };
    EditedInstructor: {
      /** Format: uuid */
      id: string;
      name: string;
      city: string;
      description: string;
      disciplines: ("ski" | "snowboard" | "freeride" | "cross_country" | "telemark")[];
      levels: ("beginner" | "intermediate" | "advanced" | "expert" | "kids")[];
      languages: string[];
      images: {
          /** Format: uri */
          url: string;
          is_main: boolean;
        }[];
      location: {
        latitude: number;
        longitude: number;
      };
      price_per_hour: number;
      price_per_hour_minor: number;
      max_group: number;
      working_hours: ({
          weekdays: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
          from: string;
          to: string;
        })[];
      closed_dates: string[];
      /** @enum {string} */
      cancellation_policy: "flexible" | "moderate" | "strict" | "non_refundable";
      /**
       * @description `instant`: a paid booking is certain. `on_request`: the seller confirms or rejects it, until `answer_by` of the booking.
       * @enum {string}
       */
      confirmation: "instant" | "on_request";
      /** @description Whether a guest may book this although they have another booking of the same kind at the same time, for others. Otherwise that is refused (409 `overlapping_booking`). */
      allow_overlapping: boolean;
      /** @description IANA name. All times of the listing are in this zone. */
      timezone: string;
      currency: string;
      /** Format: uuid */
      owner_id: string;
      /**
       * @description A `closed` listing is not listed and cannot be booked.
       * @enum {string}
       */
      status: "closed" | "published";
    };
    EditedRestaurant: {
      /** Format: uuid */
      id: string;
      name: string;
      city: string;
      address: string;
      description: string;
      cuisines: string[];
      images: {
          /** Format: uri */
          url: string;
          is_main: boolean;
        }[];
      location: {
        latitude: number;
        longitude: number;
      };
      average_bill: number;
      average_bill_minor: number;
      opening_hours: ({
          weekdays: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
          from: string;
          to: string;
        })[];
      closed_dates: string[];
      sitting_minutes: number;
      deposit_per_guest: number;
      deposit_per_guest_minor: number;
      tables: {
          /** Format: uuid */
          id: string;
          name: string;
          seats: number;
          units: number;
        }[];
      /** @enum {string} */
      cancellation_policy: "flexible" | "moderate" | "strict" | "non_refundable";
      /**
       * @description `instant`: a paid booking is certain. `on_request`: the seller confirms or rejects it, until `answer_by` of the booking.
       * @enum {string}
       */
      confirmation: "instant" | "on_request";
      /** @description Whether a guest may book this although they have another booking of the same kind at the same time, for others. Otherwise that is refused (409 `overlapping_booking`). */
      allow_overlapping: boolean;
      /** @description IANA name. All times of the listing are in this zone. */
      timezone: string;
      currency: string;
      /** Format: uuid */
      owner_id: string;
      /**
       * @description A `closed` listing is not listed and cannot be booked.
       * @enum {string}
       */
      status: "closed" | "published";
    };
    EditedRoom: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      hotel_id: string;
      name: string;
      description: string;
      capacity: number;
      units: number;
      amenities: string[];
      images: {
          /** Format: uri */
          url: string;
          is_main: boolean;
        }[];
      /** @description The price of nights without one of their own, before taxes and fees. Of rooms added before this release and not priced since: only shown. */
      price_per_night: number;
      price_per_night_minor: number;
      currency: string;
    };
    EditedTour: {
      /** Format: uuid */
      id: string;
      name: string;
      city: string;
      description: string;
      /** @enum {string} */
      activity: "ski" | "freeride" | "snowmobile" | "snowshoe" | "hike" | "sightseeing" | "other";
      /** @enum {string} */
      difficulty: "easy" | "moderate" | "hard" | "expert";
      languages: string[];
      images: {
          /** Format: uri */
          url: string;
          is_main: boolean;
        }[];
      meeting_point: string;
      location: {
        latitude: number;
        longitude: number;
      };
      duration_minutes: number;
      seats: number;
      price_per_person: number;
      price_per_person_minor: number;
      schedule: ({
          /** Format: date */
          from: string;
          /** Format: date */
          to: string;
          weekdays: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
          time: string;
        })[];
      closed_dates: string[];
      /** @enum {string} */
      cancellation_policy: "flexible" | "moderate" | "strict" | "non_refundable";
      /**
       * @description `instant`: a paid booking is certain. `on_request`: the seller confirms or rejects it, until `answer_by` of the booking.
       * @enum {string}
       */
      confirmation: "instant" | "on_request";
      /** @description Whether a guest may book this although they have another booking of the same kind at the same time, for others. Otherwise that is refused (409 `overlapping_booking`). */
      allow_overlapping: boolean;
      /** @description IANA name. All times of the listing are in this zone. */
      timezone: string;
      currency: string;
      /** Format: uuid */
      owner_id: string;
      /**
       * @description A `closed` listing is not listed and cannot be booked.
       * @enum {string}
       */
      status: "closed" | "published";
    };
    EditedTransfer: {
      /** Format: uuid */
      id: string;
      name: string;
      city: string;
      description: string;
      origin: {
        name: string;
        location: {
          latitude: number;
          longitude: number;
        };
      };
      destination: {
        name: string;
        location: {
          latitude: number;
          longitude: number;
        };
      };
      images: {
          /** Format: uri */
          url: string;
          is_main: boolean;
        }[];
      length_km: number;
      duration_minutes: number;
      turnaround_minutes: number;
      service_hours: ({
          weekdays: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
          from: string;
          to: string;
        })[];
      closed_dates: string[];
      vehicles: ({
          /** Format: uuid */
          id: string;
          name: string;
          /** @enum {string} */
          class: "economy" | "comfort" | "business" | "minivan" | "minibus" | "bus" | "offroad";
          seats: number;
          luggage: number;
          units: number;
          price: number;
          price_minor: number;
        })[];
      /** @enum {string} */
      cancellation_policy: "flexible" | "moderate" | "strict" | "non_refundable";
      /**
       * @description `instant`: a paid booking is certain. `on_request`: the seller confirms or rejects it, until `answer_by` of the booking.
       * @enum {string}
       */
      confirmation: "instant" | "on_request";
      /** @description IANA name. All times of the listing are in this zone. */
      timezone: string;
      currency: string;
      /** Format: uuid */
      owner_id: string;
      /**
       * @description A `closed` listing is not listed and cannot be booked.
       * @enum {string}
       */
      status: "closed" | "published";
    };
    EmailCodeStatus: {
      /** @description true: there is nothing to prove, and no code was sent. */
      email_verified: boolean;
      /** @description Seconds until another code can be sent. */
      can_send_in_s: number;
      /** @description Whether a code was sent that can still be used. */
      code_active: boolean;
      attempts_left: number;
    };
    EmailVerification: {
      email_verified: boolean;
    };
    ErasedAccount: {
      /**
       * @description `erased`: nobody can sign in any more, and nothing here shows you. `under_way`: the same, or it is so within a minute; what was not done within some seconds goes on without the request. A payment provider or the file store that has not confirmed yet that it deleted your cards or files is asked again until it has, for seven days at most; the certificate says what came of it. `pending`: it is erased at `due_at`, unless you sign in before: the operator has set a grace period, money is still due to you, or there was more to cancel than one request has time for.
       * @enum {string}
       */
      status: "erased" | "under_way" | "pending";
      due_at: string | null;
      /**
       * Format: uuid
       * @description Of [the certificate](#/operations/getErasureCertificate), which says what was erased. Keep it.
       */
      certificate_id: string;
    };
    ErasureCertificate: {
      /** Format: uuid */
      id: string;
      /**
       * @description `pending`: it begins at `due_at`, unless the person signs in before. Then there is no certificate any more. `under_way`: something is `waiting`, or read models follow within seconds.
       * @enum {string}
       */
      status: "pending" | "under_way" | "complete";
      /** Format: date-time */
      requested_at: string;
      /** @description Only while it is pending. */
      due_at: string | null;
      /** @description When the key was destroyed, the account closed and everything here deleted. Only systems outside may be left. */
      done_at: string | null;
      parts: ({
          /** @description What held the data: a table, a read model (`read.…`), files and so on. */
          holder: string;
          /**
           * @description `kept`: what is not personal, such as ids and amounts. `waiting`: a system outside, such as a payment provider, has not confirmed it yet; it is asked for seven days at most. `left`: it refuses, has no way to delete it, or did not confirm it in that time.
           * @enum {string}
           */
          outcome: "key_destroyed" | "deleted" | "removed" | "anonymised" | "kept" | "purged" | "waiting" | "left";
          /** @description How many rows, files and so on. */
          count: number;
        })[];
      /** @description What was found, and erased, after the certificate was given, the oldest first. What it says itself stays; `signature` does not cover these. */
      corrections: ({
          /** Format: date-time */
          at: string;
          holder: string;
          /** @enum {string} */
          outcome: "key_destroyed" | "deleted" | "removed" | "anonymised" | "kept" | "purged" | "waiting" | "left";
          count: number;
        })[];
      /** @description Of the platform, once it is complete: a copy that was altered has another one. */
      signature: string | null;
    };
    ExportArchive: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      status: "waiting" | "ready";
      /** Format: date-time */
      requested_at: string;
      progress_pct: number;
      size: number | null;
      url: string | null;
      /** @description The archive is deleted then. */
      expires_at: string | null;
    };
    Favorite: {
      /**
       * @description The kind of thing.
       * @enum {string}
       */
      type: "hotel" | "room" | "tour" | "transfer" | "instructor" | "restaurant" | "company" | "slope" | "lift" | "webcam" | "event" | "topic";
      /**
       * Format: uuid
       * @description Of the thing.
       */
      id: string;
      notify: ("price_drop" | "free_dates")[];
      check_in: string | null;
      check_out: string | null;
      guests: number | null;
    };
    FavoriteCard: {
      /**
       * @description The kind of thing.
       * @enum {string}
       */
      type: "hotel" | "room" | "tour" | "transfer" | "instructor" | "restaurant" | "company" | "slope" | "lift" | "webcam" | "event" | "topic";
      /**
       * Format: uuid
       * @description Of the thing.
       */
      id: string;
      notify: ("price_drop" | "free_dates")[];
      check_in: string | null;
      check_out: string | null;
      guests: number | null;
      title: string | null;
      picture: string | null;
      min_price: number | null;
      min_price_minor: number | null;
      currency: string | null;
      /** @description It was closed or deleted. What was deleted has no title. */
      is_gone: boolean;
      /** Format: date-time */
      added_at: string;
    };
    FavoriteCount: {
      /**
       * @description The kind of thing.
       * @enum {string}
       */
      type: "hotel" | "room" | "tour" | "transfer" | "instructor" | "restaurant" | "company" | "slope" | "lift" | "webcam" | "event" | "topic";
      count: number;
    };
    FavoriteWish: {
      /** @description What to tell the person: `price_drop` of hotel, room, tour, transfer, instructor; `free_dates` of hotel, room. Empty: nothing any more. Absent: as before. */
      notify?: ("price_drop" | "free_dates")[];
      /**
       * Format: date
       * @description With `check_out`, of hotels and rooms: for these dates only.
       */
      check_in?: string;
      /** Format: date */
      check_out?: string;
      /** @default 1 */
      guests?: number;
    };
    FeatureFlag: {
      key: string;
      /** @description Its switch: false turns it off for everybody. */
      enabled: boolean;
      description: string;
      condition: {
        /** @description The first one that applies turns the flag on. None: the flag is on for everybody. */
        strategies: (({
            /** @enum {unknown} */
            name: "default" | "userWithId" | "flexibleRollout" | "role" | "remoteAddress" | "gradualRolloutUserId" | "gradualRolloutSessionId" | "gradualRolloutRandom";
          }) & (({
            /** @constant */
            name: "default";
            /** @description All of them must hold. */
            constraints?: ({
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              })[];
            /** @description The constraints of these must hold as well. */
            segments?: string[];
            /** @description Instead of those of the flag. */
            variants?: ({
                name: string;
                /** @description Its share among the weights of all variants. */
                weight: number;
                payload?: {
                  /** @enum {string} */
                  type: "string" | "number" | "json" | "csv";
                  value: string;
                };
                /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
                stickiness?: string;
                /** @description Whoever has one of these values gets this variant. */
                overrides?: {
                    /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                    context: string;
                    values: string[];
                  }[];
              })[];
          }) | ({
            /** @constant */
            name: "userWithId";
            users: string[];
            /** @description All of them must hold. */
            constraints?: ({
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              })[];
            /** @description The constraints of these must hold as well. */
            segments?: string[];
            /** @description Instead of those of the flag. */
            variants?: ({
                name: string;
                /** @description Its share among the weights of all variants. */
                weight: number;
                payload?: {
                  /** @enum {string} */
                  type: "string" | "number" | "json" | "csv";
                  value: string;
                };
                /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
                stickiness?: string;
                /** @description Whoever has one of these values gets this variant. */
                overrides?: {
                    /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                    context: string;
                    values: string[];
                  }[];
              })[];
          }) | ({
            /** @constant */
            name: "flexibleRollout";
            rollout: number;
            /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
            stickiness?: string;
            /** @description Flags with the same group reach the same people. The key by default. */
            group?: string;
            /** @description All of them must hold. */
            constraints?: ({
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              })[];
            /** @description The constraints of these must hold as well. */
            segments?: string[];
            /** @description Instead of those of the flag. */
            variants?: ({
                name: string;
                /** @description Its share among the weights of all variants. */
                weight: number;
                payload?: {
                  /** @enum {string} */
                  type: "string" | "number" | "json" | "csv";
                  value: string;
                };
                /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
                stickiness?: string;
                /** @description Whoever has one of these values gets this variant. */
                overrides?: {
                    /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                    context: string;
                    values: string[];
                  }[];
              })[];
          }) | ({
            /** @constant */
            name: "role";
            roles: ("tourist" | "hotelier" | "tour_operator" | "transfer_provider" | "instructor" | "restaurant" | "admin")[];
            /** @description All of them must hold. */
            constraints?: ({
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              })[];
            /** @description The constraints of these must hold as well. */
            segments?: string[];
            /** @description Instead of those of the flag. */
            variants?: ({
                name: string;
                /** @description Its share among the weights of all variants. */
                weight: number;
                payload?: {
                  /** @enum {string} */
                  type: "string" | "number" | "json" | "csv";
                  value: string;
                };
                /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
                stickiness?: string;
                /** @description Whoever has one of these values gets this variant. */
                overrides?: {
                    /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                    context: string;
                    values: string[];
                  }[];
              })[];
          }) | ({
            /** @constant */
            name: "remoteAddress";
            /** @description Addresses and networks: `192.168.0.0/16`. */
            addresses: string[];
            /** @description All of them must hold. */
            constraints?: ({
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              })[];
            /** @description The constraints of these must hold as well. */
            segments?: string[];
            /** @description Instead of those of the flag. */
            variants?: ({
                name: string;
                /** @description Its share among the weights of all variants. */
                weight: number;
                payload?: {
                  /** @enum {string} */
                  type: "string" | "number" | "json" | "csv";
                  value: string;
                };
                /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
                stickiness?: string;
                /** @description Whoever has one of these values gets this variant. */
                overrides?: {
                    /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                    context: string;
                    values: string[];
                  }[];
              })[];
          }) | ({
            /** @constant */
            name: "gradualRolloutUserId";
            rollout: number;
            /** @description Flags with the same group reach the same people. The key by default. */
            group?: string;
            /** @description All of them must hold. */
            constraints?: ({
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              })[];
            /** @description The constraints of these must hold as well. */
            segments?: string[];
            /** @description Instead of those of the flag. */
            variants?: ({
                name: string;
                /** @description Its share among the weights of all variants. */
                weight: number;
                payload?: {
                  /** @enum {string} */
                  type: "string" | "number" | "json" | "csv";
                  value: string;
                };
                /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
                stickiness?: string;
                /** @description Whoever has one of these values gets this variant. */
                overrides?: {
                    /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                    context: string;
                    values: string[];
                  }[];
              })[];
          }) | ({
            /** @constant */
            name: "gradualRolloutSessionId";
            rollout: number;
            /** @description Flags with the same group reach the same people. The key by default. */
            group?: string;
            /** @description All of them must hold. */
            constraints?: ({
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              })[];
            /** @description The constraints of these must hold as well. */
            segments?: string[];
            /** @description Instead of those of the flag. */
            variants?: ({
                name: string;
                /** @description Its share among the weights of all variants. */
                weight: number;
                payload?: {
                  /** @enum {string} */
                  type: "string" | "number" | "json" | "csv";
                  value: string;
                };
                /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
                stickiness?: string;
                /** @description Whoever has one of these values gets this variant. */
                overrides?: {
                    /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                    context: string;
                    values: string[];
                  }[];
              })[];
          }) | ({
            /** @constant */
            name: "gradualRolloutRandom";
            rollout: number;
            /** @description All of them must hold. */
            constraints?: ({
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              })[];
            /** @description The constraints of these must hold as well. */
            segments?: string[];
            /** @description Instead of those of the flag. */
            variants?: ({
                name: string;
                /** @description Its share among the weights of all variants. */
                weight: number;
                payload?: {
                  /** @enum {string} */
                  type: "string" | "number" | "json" | "csv";
                  value: string;
                };
                /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
                stickiness?: string;
                /** @description Whoever has one of these values gets this variant. */
                overrides?: {
                    /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                    context: string;
                    values: string[];
                  }[];
              })[];
          })))[];
        parents: {
            flag: string;
            /** @default true */
            enabled?: boolean;
            /** @description It must have one of these variants. */
            variants?: string[];
          }[];
      };
      payload: {
        variants: ({
            name: string;
            /** @description Its share among the weights of all variants. */
            weight: number;
            payload?: {
              /** @enum {string} */
              type: "string" | "number" | "json" | "csv";
              value: string;
            };
            /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
            stickiness?: string;
            /** @description Whoever has one of these values gets this variant. */
            overrides?: {
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                values: string[];
              }[];
          })[];
      };
      expires: string | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
      /** @description Id of the account that changed it last. */
      updated_by: string;
      /** @description Its date has come: delete the flag. */
      expired: boolean;
    };
    FeatureFlagDefinition: {
      enabled?: boolean;
      description?: string;
      condition?: {
        /** @description The first one that applies turns the flag on. None: the flag is on for everybody. */
        strategies?: (({
            /** @enum {unknown} */
            name: "default" | "userWithId" | "flexibleRollout" | "role" | "remoteAddress" | "gradualRolloutUserId" | "gradualRolloutSessionId" | "gradualRolloutRandom";
          }) & (({
            /** @constant */
            name: "default";
            /** @description All of them must hold. */
            constraints?: ({
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              })[];
            /** @description The constraints of these must hold as well. */
            segments?: string[];
            /** @description Instead of those of the flag. */
            variants?: ({
                name: string;
                /** @description Its share among the weights of all variants. */
                weight: number;
                payload?: {
                  /** @enum {string} */
                  type: "string" | "number" | "json" | "csv";
                  value: string;
                };
                /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
                stickiness?: string;
                /** @description Whoever has one of these values gets this variant. */
                overrides?: {
                    /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                    context: string;
                    values: string[];
                  }[];
              })[];
          }) | ({
            /** @constant */
            name: "userWithId";
            users: string[];
            /** @description All of them must hold. */
            constraints?: ({
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              })[];
            /** @description The constraints of these must hold as well. */
            segments?: string[];
            /** @description Instead of those of the flag. */
            variants?: ({
                name: string;
                /** @description Its share among the weights of all variants. */
                weight: number;
                payload?: {
                  /** @enum {string} */
                  type: "string" | "number" | "json" | "csv";
                  value: string;
                };
                /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
                stickiness?: string;
                /** @description Whoever has one of these values gets this variant. */
                overrides?: {
                    /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                    context: string;
                    values: string[];
                  }[];
              })[];
          }) | ({
            /** @constant */
            name: "flexibleRollout";
            rollout: number;
            /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
            stickiness?: string;
            /** @description Flags with the same group reach the same people. The key by default. */
            group?: string;
            /** @description All of them must hold. */
            constraints?: ({
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              })[];
            /** @description The constraints of these must hold as well. */
            segments?: string[];
            /** @description Instead of those of the flag. */
            variants?: ({
                name: string;
                /** @description Its share among the weights of all variants. */
                weight: number;
                payload?: {
                  /** @enum {string} */
                  type: "string" | "number" | "json" | "csv";
                  value: string;
                };
                /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
                stickiness?: string;
                /** @description Whoever has one of these values gets this variant. */
                overrides?: {
                    /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                    context: string;
                    values: string[];
                  }[];
              })[];
          }) | ({
            /** @constant */
            name: "role";
            roles: ("tourist" | "hotelier" | "tour_operator" | "transfer_provider" | "instructor" | "restaurant" | "admin")[];
            /** @description All of them must hold. */
            constraints?: ({
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              })[];
            /** @description The constraints of these must hold as well. */
            segments?: string[];
            /** @description Instead of those of the flag. */
            variants?: ({
                name: string;
                /** @description Its share among the weights of all variants. */
                weight: number;
                payload?: {
                  /** @enum {string} */
                  type: "string" | "number" | "json" | "csv";
                  value: string;
                };
                /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
                stickiness?: string;
                /** @description Whoever has one of these values gets this variant. */
                overrides?: {
                    /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                    context: string;
                    values: string[];
                  }[];
              })[];
          }) | ({
            /** @constant */
            name: "remoteAddress";
            /** @description Addresses and networks: `192.168.0.0/16`. */
            addresses: string[];
            /** @description All of them must hold. */
            constraints?: ({
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              })[];
            /** @description The constraints of these must hold as well. */
            segments?: string[];
            /** @description Instead of those of the flag. */
            variants?: ({
                name: string;
                /** @description Its share among the weights of all variants. */
                weight: number;
                payload?: {
                  /** @enum {string} */
                  type: "string" | "number" | "json" | "csv";
                  value: string;
                };
                /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
                stickiness?: string;
                /** @description Whoever has one of these values gets this variant. */
                overrides?: {
                    /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                    context: string;
                    values: string[];
                  }[];
              })[];
          }) | ({
            /** @constant */
            name: "gradualRolloutUserId";
            rollout: number;
            /** @description Flags with the same group reach the same people. The key by default. */
            group?: string;
            /** @description All of them must hold. */
            constraints?: ({
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              })[];
            /** @description The constraints of these must hold as well. */
            segments?: string[];
            /** @description Instead of those of the flag. */
            variants?: ({
                name: string;
                /** @description Its share among the weights of all variants. */
                weight: number;
                payload?: {
                  /** @enum {string} */
                  type: "string" | "number" | "json" | "csv";
                  value: string;
                };
                /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
                stickiness?: string;
                /** @description Whoever has one of these values gets this variant. */
                overrides?: {
                    /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                    context: string;
                    values: string[];
                  }[];
              })[];
          }) | ({
            /** @constant */
            name: "gradualRolloutSessionId";
            rollout: number;
            /** @description Flags with the same group reach the same people. The key by default. */
            group?: string;
            /** @description All of them must hold. */
            constraints?: ({
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              })[];
            /** @description The constraints of these must hold as well. */
            segments?: string[];
            /** @description Instead of those of the flag. */
            variants?: ({
                name: string;
                /** @description Its share among the weights of all variants. */
                weight: number;
                payload?: {
                  /** @enum {string} */
                  type: "string" | "number" | "json" | "csv";
                  value: string;
                };
                /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
                stickiness?: string;
                /** @description Whoever has one of these values gets this variant. */
                overrides?: {
                    /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                    context: string;
                    values: string[];
                  }[];
              })[];
          }) | ({
            /** @constant */
            name: "gradualRolloutRandom";
            rollout: number;
            /** @description All of them must hold. */
            constraints?: ({
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              })[];
            /** @description The constraints of these must hold as well. */
            segments?: string[];
            /** @description Instead of those of the flag. */
            variants?: ({
                name: string;
                /** @description Its share among the weights of all variants. */
                weight: number;
                payload?: {
                  /** @enum {string} */
                  type: "string" | "number" | "json" | "csv";
                  value: string;
                };
                /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
                stickiness?: string;
                /** @description Whoever has one of these values gets this variant. */
                overrides?: {
                    /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                    context: string;
                    values: string[];
                  }[];
              })[];
          })))[];
        parents?: {
            flag: string;
            /** @default true */
            enabled?: boolean;
            /** @description It must have one of these variants. */
            variants?: string[];
          }[];
      };
      payload?: {
        variants: ({
            name: string;
            /** @description Its share among the weights of all variants. */
            weight: number;
            payload?: {
              /** @enum {string} */
              type: "string" | "number" | "json" | "csv";
              value: string;
            };
            /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
            stickiness?: string;
            /** @description Whoever has one of these values gets this variant. */
            overrides?: {
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                values: string[];
              }[];
          })[];
      };
      expires?: string | null;
      reason?: string;
    };
    FieldError: {
      /** @description JSON Pointer to the field: `/body/check_in`, `/query/page`. */
      pointer: string;
      detail: string;
      code: string;
    };
    File: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      folder: "chat" | "reviews" | "listings" | "avatars" | "documents" | "forums" | "stories";
      /** @enum {string} */
      mime: "image/jpeg" | "image/webp" | "audio/mp4" | "audio/mpeg" | "audio/aac" | "audio/ogg" | "audio/webm" | "audio/wav" | "video/mp4" | "video/webm" | "application/pdf";
      /** @description In bytes. */
      size: number;
      width: number | null;
      height: number | null;
      duration_s: number | null;
      used_by: {
        kind: string;
        /** Format: uuid */
        id: string;
        /** Format: uuid */
        within?: string;
      } | null;
      /** Format: date-time */
      created_at: string;
      /** @description Where the file is read, without a token. Of private files it works for two to three days. */
      url: string;
      thumbnail_url: string | null;
    };
    FiledAppeal: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      status: "open";
    };
    FiledReport: {
      /** Format: uuid */
      id: string;
      subject_kind: string;
      /** Format: uuid */
      subject_id: string;
      /** @enum {string} */
      status: "open" | "resolved";
    };
    FlagExplanation: {
      enabled: boolean;
      variant: string | null;
      payload: ({
        /** @enum {string} */
        type: "string" | "number" | "json" | "csv";
        value: string;
      }) | null;
      /**
       * @description What decided.
       * @enum {string}
       */
      reason: "unknown_flag" | "switched_off" | "parent" | "no_strategy" | "everybody" | "strategy";
      /** @description The same in words, with the strategy and the constraint. */
      detail: string;
      parents: {
          parent: {
            flag: string;
            /** @default true */
            enabled?: boolean;
            /** @description It must have one of these variants. */
            variants?: string[];
          };
          holds: boolean;
        }[];
      /** @description Up to the one that applies. */
      strategies: ({
          strategy: ({
            /** @enum {unknown} */
            name: "default" | "userWithId" | "flexibleRollout" | "role" | "remoteAddress" | "gradualRolloutUserId" | "gradualRolloutSessionId" | "gradualRolloutRandom";
          }) & (({
            /** @constant */
            name: "default";
            /** @description All of them must hold. */
            constraints?: ({
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              })[];
            /** @description The constraints of these must hold as well. */
            segments?: string[];
            /** @description Instead of those of the flag. */
            variants?: ({
                name: string;
                /** @description Its share among the weights of all variants. */
                weight: number;
                payload?: {
                  /** @enum {string} */
                  type: "string" | "number" | "json" | "csv";
                  value: string;
                };
                /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
                stickiness?: string;
                /** @description Whoever has one of these values gets this variant. */
                overrides?: {
                    /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                    context: string;
                    values: string[];
                  }[];
              })[];
          }) | ({
            /** @constant */
            name: "userWithId";
            users: string[];
            /** @description All of them must hold. */
            constraints?: ({
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              })[];
            /** @description The constraints of these must hold as well. */
            segments?: string[];
            /** @description Instead of those of the flag. */
            variants?: ({
                name: string;
                /** @description Its share among the weights of all variants. */
                weight: number;
                payload?: {
                  /** @enum {string} */
                  type: "string" | "number" | "json" | "csv";
                  value: string;
                };
                /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
                stickiness?: string;
                /** @description Whoever has one of these values gets this variant. */
                overrides?: {
                    /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                    context: string;
                    values: string[];
                  }[];
              })[];
          }) | ({
            /** @constant */
            name: "flexibleRollout";
            rollout: number;
            /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
            stickiness?: string;
            /** @description Flags with the same group reach the same people. The key by default. */
            group?: string;
            /** @description All of them must hold. */
            constraints?: ({
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              })[];
            /** @description The constraints of these must hold as well. */
            segments?: string[];
            /** @description Instead of those of the flag. */
            variants?: ({
                name: string;
                /** @description Its share among the weights of all variants. */
                weight: number;
                payload?: {
                  /** @enum {string} */
                  type: "string" | "number" | "json" | "csv";
                  value: string;
                };
                /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
                stickiness?: string;
                /** @description Whoever has one of these values gets this variant. */
                overrides?: {
                    /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                    context: string;
                    values: string[];
                  }[];
              })[];
          }) | ({
            /** @constant */
            name: "role";
            roles: ("tourist" | "hotelier" | "tour_operator" | "transfer_provider" | "instructor" | "restaurant" | "admin")[];
            /** @description All of them must hold. */
            constraints?: ({
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              })[];
            /** @description The constraints of these must hold as well. */
            segments?: string[];
            /** @description Instead of those of the flag. */
            variants?: ({
                name: string;
                /** @description Its share among the weights of all variants. */
                weight: number;
                payload?: {
                  /** @enum {string} */
                  type: "string" | "number" | "json" | "csv";
                  value: string;
                };
                /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
                stickiness?: string;
                /** @description Whoever has one of these values gets this variant. */
                overrides?: {
                    /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                    context: string;
                    values: string[];
                  }[];
              })[];
          }) | ({
            /** @constant */
            name: "remoteAddress";
            /** @description Addresses and networks: `192.168.0.0/16`. */
            addresses: string[];
            /** @description All of them must hold. */
            constraints?: ({
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              })[];
            /** @description The constraints of these must hold as well. */
            segments?: string[];
            /** @description Instead of those of the flag. */
            variants?: ({
                name: string;
                /** @description Its share among the weights of all variants. */
                weight: number;
                payload?: {
                  /** @enum {string} */
                  type: "string" | "number" | "json" | "csv";
                  value: string;
                };
                /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
                stickiness?: string;
                /** @description Whoever has one of these values gets this variant. */
                overrides?: {
                    /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                    context: string;
                    values: string[];
                  }[];
              })[];
          }) | ({
            /** @constant */
            name: "gradualRolloutUserId";
            rollout: number;
            /** @description Flags with the same group reach the same people. The key by default. */
            group?: string;
            /** @description All of them must hold. */
            constraints?: ({
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              })[];
            /** @description The constraints of these must hold as well. */
            segments?: string[];
            /** @description Instead of those of the flag. */
            variants?: ({
                name: string;
                /** @description Its share among the weights of all variants. */
                weight: number;
                payload?: {
                  /** @enum {string} */
                  type: "string" | "number" | "json" | "csv";
                  value: string;
                };
                /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
                stickiness?: string;
                /** @description Whoever has one of these values gets this variant. */
                overrides?: {
                    /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                    context: string;
                    values: string[];
                  }[];
              })[];
          }) | ({
            /** @constant */
            name: "gradualRolloutSessionId";
            rollout: number;
            /** @description Flags with the same group reach the same people. The key by default. */
            group?: string;
            /** @description All of them must hold. */
            constraints?: ({
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              })[];
            /** @description The constraints of these must hold as well. */
            segments?: string[];
            /** @description Instead of those of the flag. */
            variants?: ({
                name: string;
                /** @description Its share among the weights of all variants. */
                weight: number;
                payload?: {
                  /** @enum {string} */
                  type: "string" | "number" | "json" | "csv";
                  value: string;
                };
                /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
                stickiness?: string;
                /** @description Whoever has one of these values gets this variant. */
                overrides?: {
                    /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                    context: string;
                    values: string[];
                  }[];
              })[];
          }) | ({
            /** @constant */
            name: "gradualRolloutRandom";
            rollout: number;
            /** @description All of them must hold. */
            constraints?: ({
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              })[];
            /** @description The constraints of these must hold as well. */
            segments?: string[];
            /** @description Instead of those of the flag. */
            variants?: ({
                name: string;
                /** @description Its share among the weights of all variants. */
                weight: number;
                payload?: {
                  /** @enum {string} */
                  type: "string" | "number" | "json" | "csv";
                  value: string;
                };
                /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
                stickiness?: string;
                /** @description Whoever has one of these values gets this variant. */
                overrides?: {
                    /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                    context: string;
                    values: string[];
                  }[];
              })[];
          }));
          applies: boolean;
          part: number | null;
          missing_segments: string[];
          constraints: ({
              constraint: {
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              };
              segment: string | null;
              value: string | null;
              holds: boolean;
            })[];
        })[];
    };
    FlagSegment: {
      /** Format: uuid */
      id: string;
      name: string;
      constraints: ({
          /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
          context: string;
          /** @enum {string} */
          operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
          /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
          values: string[];
          /** @description The constraint holds when the operator does not. */
          inverted?: boolean;
          /** @description `STR_…` and `REGEX` ignore case. */
          insensitive?: boolean;
        })[];
      /** Format: date-time */
      updated_at: string;
      updated_by: string;
    };
    FlagState: {
      enabled: boolean;
      variant: string | null;
      payload: ({
        /** @enum {string} */
        type: "string" | "number" | "json" | "csv";
        value: string;
      }) | null;
    };
    ForumCategory: {
      /** Format: uuid */
      id: string;
      title: string;
      description: string;
      position: number;
      /** @description Only admins start topics in it; everybody writes in them. */
      admins_start: boolean;
      /** Format: date-time */
      created_at: string;
      /** @description Topics that everybody sees, counted up to 1,000. */
      topics_count: number;
      /**
       * @description There are more than `topics_count`.
       * @constant
       */
      topics_count_is_at_least?: true;
    };
    ForumCategoryUpdate: {
      title?: string;
      description?: string;
      position?: number;
      admins_start?: boolean;
    };
    ForumPost: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      topic_id: string;
      /** @description Its number within the topic: 1, 2, and so on. */
      seq: number;
      /** Format: uuid */
      author_id: string;
      reply_to_id: string | null;
      reply_to_seq: number | null;
      /** @description Other posts of the topic, which it quotes. */
      quotes: {
          /** Format: uuid */
          id: string;
          seq: number;
        }[];
      mentions: string[];
      client_post_id: string | null;
      /** Format: date-time */
      created_at: string;
      edited_at: string | null;
      /** @description First name and initial; `Deleted user` once the account is erased. */
      author: string;
      body: string | null;
      image_url: string | null;
      pictures: components["schemas"]["Attachment"][];
      deletion: ("author" | "moderator" | "erased") | null;
      /** @description How many people have reacted to it. */
      reactions: ({
          /** @enum {string} */
          kind: "like" | "thanks" | "helpful" | "funny" | "sad";
          count: number;
        })[];
      /** @description What a post that a moderator has removed says. Only for: admin. */
      removed_body?: string;
    };
    ForumPostFound: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      topic_id: string;
      /** @description Its number within the topic: 1, 2, and so on. */
      seq: number;
      /** Format: uuid */
      author_id: string;
      reply_to_id: string | null;
      reply_to_seq: number | null;
      /** @description Other posts of the topic, which it quotes. */
      quotes: {
          /** Format: uuid */
          id: string;
          seq: number;
        }[];
      mentions: string[];
      client_post_id: string | null;
      /** Format: date-time */
      created_at: string;
      edited_at: string | null;
      /** @description First name and initial; `Deleted user` once the account is erased. */
      author: string;
      body: string | null;
      image_url: string | null;
      pictures: components["schemas"]["Attachment"][];
      deletion: ("author" | "moderator" | "erased") | null;
      /** @description How many people have reacted to it. */
      reactions: ({
          /** @enum {string} */
          kind: "like" | "thanks" | "helpful" | "funny" | "sad";
          count: number;
        })[];
      /** @description What a post that a moderator has removed says. Only for: admin. */
      removed_body?: string;
      topic_title: string | null;
    };
    ForumPostHistory: {
      /** Format: uuid */
      post_id: string;
      /** @description The oldest first; the last one is what the post says now, or said until it was deleted. */
      versions: {
          body: string;
          /** Format: date-time */
          written_at: string;
        }[];
      /** @description What a post had that its author deleted while a report of it was open, for admins, 30 days long. Otherwise empty. */
      pictures: components["schemas"]["Attachment"][];
    };
    ForumPostSeen: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      topic_id: string;
      /** @description Its number within the topic: 1, 2, and so on. */
      seq: number;
      /** Format: uuid */
      author_id: string;
      reply_to_id: string | null;
      reply_to_seq: number | null;
      /** @description Other posts of the topic, which it quotes. */
      quotes: {
          /** Format: uuid */
          id: string;
          seq: number;
        }[];
      mentions: string[];
      client_post_id: string | null;
      /** Format: date-time */
      created_at: string;
      edited_at: string | null;
      /** @description First name and initial; `Deleted user` once the account is erased. */
      author: string;
      body: string | null;
      image_url: string | null;
      pictures: components["schemas"]["Attachment"][];
      deletion: ("author" | "moderator" | "erased") | null;
      /** @description How many people have reacted to it. */
      reactions: ({
          /** @enum {string} */
          kind: "like" | "thanks" | "helpful" | "funny" | "sad";
          count: number;
        })[];
      /** @description What a post that a moderator has removed says. Only for: admin. */
      removed_body?: string;
      own_reaction: ("like" | "thanks" | "helpful" | "funny" | "sad") | null;
    };
    ForumPostUpdate: {
      body: string;
      mentions?: string[];
    };
    ForumRemoval: {
      /**
       * Format: uuid
       * @description Of the post or topic.
       */
      id: string;
      /** @enum {string} */
      kind: "post" | "topic";
      /** Format: uuid */
      topic_id: string;
      /** Format: uuid */
      author_id: string;
      /** @description null: the account of the author was erased. */
      reason: string | null;
      /** Format: date-time */
      removed_at: string;
    };
    ForumReport: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      reporter_id: string;
      /** @description What is reported: `message`, `review` and so on. */
      subject_kind: string;
      /** Format: uuid */
      subject_id: string;
      within_id: string | null;
      reason: string;
      /** @enum {string} */
      status: "open" | "resolved";
      action: ("dismissed" | "removed") | null;
      resolved_by: string | null;
      resolved_at: string | null;
      /** Format: date-time */
      created_at: string;
      /** @description What it said each time it was reported, whatever its author has done since, until 30 days after the last report or appeal about it was answered; then empty. */
      reported_texts: {
          text: string;
          /** Format: date-time */
          kept_at: string;
        }[];
      /** @description What is reported; null: it does not exist any more. */
      content: components["schemas"]["ForumPost"] | null;
    };
    ForumSanction: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      account_id: string;
      topic_id: string | null;
      /** Format: date-time */
      until: string;
      /** Format: date-time */
      imposed_at: string;
      lifted_at: string | null;
      reason: string | null;
    };
    ForumTopicSeen: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      category_id: string;
      /** Format: uuid */
      author_id: string;
      /** @description It comes first in lists of its category. */
      pinned: boolean;
      /** @description Only admins write in it. */
      locked: boolean;
      /**
       * @description Everybody sees `open` topics. One that a moderator has `removed` is shown to its author and admins, one that its author has `deleted` to admins, if a report of its first post was open.
       * @enum {string}
       */
      status: "open" | "deleted" | "removed";
      /** Format: date-time */
      created_at: string;
      title: string | null;
      /** @description First name and initial; `Deleted user` once the account is erased. */
      author: string;
      /** @description The number of its newest post. */
      last_seq: number;
      /** Format: date-time */
      last_post_at: string;
      last_read_seq: number | null;
      unread_count: number | null;
    };
    ForumTopicSeenMarked: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      category_id: string;
      /** Format: uuid */
      author_id: string;
      /** @description It comes first in lists of its category. */
      pinned: boolean;
      /** @description Only admins write in it. */
      locked: boolean;
      /**
       * @description Everybody sees `open` topics. One that a moderator has `removed` is shown to its author and admins, one that its author has `deleted` to admins, if a report of its first post was open.
       * @enum {string}
       */
      status: "open" | "deleted" | "removed";
      /** Format: date-time */
      created_at: string;
      title: string | null;
      /** @description First name and initial; `Deleted user` once the account is erased. */
      author: string;
      /** @description The number of its newest post. */
      last_seq: number;
      /** Format: date-time */
      last_post_at: string;
      last_read_seq: number | null;
      unread_count: number | null;
      /** @description Whether it is a favourite of the caller. Absent for those who are not signed in. */
      is_favorite?: boolean;
    };
    ForumTopicUpdate: {
      title?: string;
      /** Format: uuid */
      category_id?: string;
      pinned?: boolean;
      locked?: boolean;
    };
    FoundHotel: {
      /** Format: uuid */
      id: string;
      name: string;
      city: string;
      address: string;
      stars: number;
      description: string;
      amenities: string[];
      images: {
          /** Format: uri */
          url: string;
          is_main: boolean;
        }[];
      location: {
        latitude: number;
        longitude: number;
      };
      /** @enum {string} */
      cancellation_policy: "flexible" | "moderate" | "strict" | "non_refundable";
      /**
       * @description `instant`: a paid booking is certain. `on_request`: the seller confirms or rejects it, until `answer_by` of the booking.
       * @enum {string}
       */
      confirmation: "instant" | "on_request";
      charges: (({
          /** @enum {string} */
          kind: "tax" | "fee";
          name: string;
          bps: number;
        }) | ({
          /** @enum {string} */
          kind: "tax" | "fee";
          name: string;
          per_night: number;
          per_night_minor: number;
        }))[];
      /** @description IANA name. All times of the listing are in this zone. */
      timezone: string;
      currency: string;
      min_price: number | null;
      min_price_minor: number | null;
      rating: number | null;
      reviews_count: number;
      distance_km: number | null;
      /** @description Whether it is a favourite of the caller. Absent for those who are not signed in. */
      is_favorite?: boolean;
    };
    FriendInvitation: {
      /** Format: uuid */
      id: string;
      user_id: string | null;
      address: string | null;
      /** Format: date-time */
      created_at: string;
      expires_at: string | null;
    };
    Friendship: {
      /** Format: uuid */
      user_id: string;
      /** @enum {string} */
      relation: "incoming" | "friends" | "blocked";
      /** Format: date-time */
      since: string;
      first_name: string | null;
      last_name: string | null;
    };
    Funnel: {
      /** Format: date */
      from: string;
      /** Format: date */
      to: string;
      groups: ({
          /** @description The value as it was sent: the number 3 and the text "3" are two groups. A text is cut after 100 characters; a list or an object is its JSON text. null: not grouped, or the first step has no such property. */
          group: string | number | boolean | null;
          steps: components["schemas"]["FunnelStep"][];
        })[];
    };
    FunnelStage: {
      count: number;
      amount: number;
      amount_minor: number;
    };
    FunnelStep: {
      step: string;
      count: number;
      conversion: number | null;
      median_s: number | null;
    };
    GlobalMetrics: {
      /** Format: date */
      from: string;
      /** Format: date */
      to: string;
      bookings: components["schemas"]["BookingsOfDay"][];
      conversion: components["schemas"]["BookingConversion"];
      money: components["schemas"]["RevenueOfDay"][];
      answers: components["schemas"]["SellerAnswers"];
      /** @description People who were active on the last day, and in the 7 and 30 days that end with it. */
      active: {
        dau: number;
        wau: number;
        mau: number;
      };
      days: components["schemas"]["ActiveDay"][];
      cohorts: components["schemas"]["Cohort"][];
    };
    Health: {
      /** @enum {string} */
      service: "auth" | "catalog" | "bookings" | "chat" | "calls" | "analytics" | "platform" | "resort" | "pass" | "gamification" | "stories" | "social" | "privacy";
      version: string;
      /** @enum {string} */
      status: "ok" | "degraded" | "unavailable";
      /** @description What is degraded, in English, for operators. */
      faults?: string[];
    };
    Hotel: {
      /** Format: uuid */
      id: string;
      name: string;
      city: string;
      address: string;
      stars: number;
      description: string;
      amenities: string[];
      images: {
          /** Format: uri */
          url: string;
          is_main: boolean;
        }[];
      location: {
        latitude: number;
        longitude: number;
      };
      /** @enum {string} */
      cancellation_policy: "flexible" | "moderate" | "strict" | "non_refundable";
      /**
       * @description `instant`: a paid booking is certain. `on_request`: the seller confirms or rejects it, until `answer_by` of the booking.
       * @enum {string}
       */
      confirmation: "instant" | "on_request";
      charges: (({
          /** @enum {string} */
          kind: "tax" | "fee";
          name: string;
          bps: number;
        }) | ({
          /** @enum {string} */
          kind: "tax" | "fee";
          name: string;
          per_night: number;
          per_night_minor: number;
        }))[];
      /** @description IANA name. All times of the listing are in this zone. */
      timezone: string;
      currency: string;
      min_price: number | null;
      min_price_minor: number | null;
      rating: number | null;
      reviews_count: number;
    };
    HotelUpdate: {
      name?: string;
      city?: string;
      address?: string;
      stars?: number;
      description?: string;
      amenities?: string[];
      /** @description Each has either `url` or `file_id`. At most one is the main one. */
      images?: {
          /**
           * Format: uri
           * @description Of a picture that is elsewhere, or as a reply has it.
           */
          url?: string;
          /**
           * Format: uuid
           * @description Of a picture that was uploaded to the folder `listings`.
           */
          file_id?: string;
          is_main: boolean;
        }[];
      location?: {
        latitude: number;
        longitude: number;
      };
      /** @enum {string} */
      cancellation_policy?: "flexible" | "moderate" | "strict" | "non_refundable";
      /**
       * @description `instant`: a paid booking is certain. `on_request`: the seller confirms or rejects it, until `answer_by` of the booking.
       * @enum {string}
       */
      confirmation?: "instant" | "on_request";
      charges?: (({
          /** @enum {string} */
          kind: "tax" | "fee";
          name: string;
          bps: number;
        }) | ({
          /** @enum {string} */
          kind: "tax" | "fee";
          name: string;
          per_night: number;
        }))[];
      /**
       * @description A `closed` listing is not listed and cannot be booked.
       * @enum {string}
       */
      status?: "closed" | "published";
    };
    HotelWithRooms: {
      /** Format: uuid */
      id: string;
      name: string;
      city: string;
      address: string;
      stars: number;
      description: string;
      amenities: string[];
      images: {
          /** Format: uri */
          url: string;
          is_main: boolean;
        }[];
      location: {
        latitude: number;
        longitude: number;
      };
      /** @enum {string} */
      cancellation_policy: "flexible" | "moderate" | "strict" | "non_refundable";
      /**
       * @description `instant`: a paid booking is certain. `on_request`: the seller confirms or rejects it, until `answer_by` of the booking.
       * @enum {string}
       */
      confirmation: "instant" | "on_request";
      charges: (({
          /** @enum {string} */
          kind: "tax" | "fee";
          name: string;
          bps: number;
        }) | ({
          /** @enum {string} */
          kind: "tax" | "fee";
          name: string;
          per_night: number;
          per_night_minor: number;
        }))[];
      /** @description IANA name. All times of the listing are in this zone. */
      timezone: string;
      currency: string;
      min_price: number | null;
      min_price_minor: number | null;
      rating: number | null;
      reviews_count: number;
      rooms: components["schemas"]["RoomMarked"][];
      availability: components["schemas"]["Availability"] | null;
      /** @description Whether it is a favourite of the caller. Absent for those who are not signed in. */
      is_favorite?: boolean;
    };
    IdentityConfirmed: {
      /** Format: date-time */
      fresh_until: string;
    };
    Instructor: {
      /** Format: uuid */
      id: string;
      name: string;
      city: string;
      description: string;
      disciplines: ("ski" | "snowboard" | "freeride" | "cross_country" | "telemark")[];
      levels: ("beginner" | "intermediate" | "advanced" | "expert" | "kids")[];
      languages: string[];
      images: {
          /** Format: uri */
          url: string;
          is_main: boolean;
        }[];
      location: {
        latitude: number;
        longitude: number;
      };
      price_per_hour: number;
      price_per_hour_minor: number;
      max_group: number;
      working_hours: ({
          weekdays: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
          from: string;
          to: string;
        })[];
      closed_dates: string[];
      /** @enum {string} */
      cancellation_policy: "flexible" | "moderate" | "strict" | "non_refundable";
      /**
       * @description `instant`: a paid booking is certain. `on_request`: the seller confirms or rejects it, until `answer_by` of the booking.
       * @enum {string}
       */
      confirmation: "instant" | "on_request";
      /** @description Whether a guest may book this although they have another booking of the same kind at the same time, for others. Otherwise that is refused (409 `overlapping_booking`). */
      allow_overlapping: boolean;
      /** @description IANA name. All times of the listing are in this zone. */
      timezone: string;
      currency: string;
      min_price: number | null;
      /** @description The lowest price; null without a price. */
      min_price_minor: number | null;
      distance_km: number | null;
      rating: number | null;
      reviews_count: number;
      /** @description Whether it is a favourite of the caller. Absent for those who are not signed in. */
      is_favorite?: boolean;
    };
    InstructorUpdate: {
      name?: string;
      city?: string;
      description?: string;
      disciplines?: ("ski" | "snowboard" | "freeride" | "cross_country" | "telemark")[];
      levels?: ("beginner" | "intermediate" | "advanced" | "expert" | "kids")[];
      languages?: string[];
      /** @description Each has either `url` or `file_id`. At most one is the main one. */
      images?: {
          /**
           * Format: uri
           * @description Of a picture that is elsewhere, or as a reply has it.
           */
          url?: string;
          /**
           * Format: uuid
           * @description Of a picture that was uploaded to the folder `listings`.
           */
          file_id?: string;
          is_main: boolean;
        }[];
      location?: {
        latitude: number;
        longitude: number;
      };
      price_per_hour?: number;
      max_group?: number;
      working_hours?: ({
          weekdays: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
          from: string;
          to: string;
        })[];
      closed_dates?: string[];
      /** @enum {string} */
      cancellation_policy?: "flexible" | "moderate" | "strict" | "non_refundable";
      /**
       * @description `instant`: a paid booking is certain. `on_request`: the seller confirms or rejects it, until `answer_by` of the booking.
       * @enum {string}
       */
      confirmation?: "instant" | "on_request";
      /** @description Whether a guest may book this although they have another booking of the same kind at the same time, for others. Otherwise that is refused (409 `overlapping_booking`). */
      allow_overlapping?: boolean;
      /**
       * @description A `closed` listing is not listed and cannot be booked.
       * @enum {string}
       */
      status?: "closed" | "published";
    };
    InsuranceProduct: {
      /** Format: uuid */
      id: string;
      name: string;
      description: string;
      activities: ("ski" | "freeride" | "snowmobile" | "snowshoe" | "hike" | "sightseeing" | "other")[];
      max_days: number;
      coverage: ({
          /** @enum {string} */
          risk: "medical" | "mountain_rescue" | "accident" | "liability" | "equipment" | "trip_cancellation";
          limit: number;
          limit_minor: number;
        })[];
      price_per_person_day: number;
      price_per_person_day_minor: number;
      /** @description IANA name. Dates are in this zone. */
      timezone: string;
      currency: string;
      /**
       * @description A `closed` product is not listed and not sold.
       * @enum {string}
       */
      status: "closed" | "published";
    };
    InsuranceProductUpdate: {
      name?: string;
      description?: string;
      activities?: ("ski" | "freeride" | "snowmobile" | "snowshoe" | "hike" | "sightseeing" | "other")[];
      max_days?: number;
      coverage?: ({
          /** @enum {string} */
          risk: "medical" | "mountain_rescue" | "accident" | "liability" | "equipment" | "trip_cancellation";
          limit: number;
        })[];
      price_per_person_day?: number;
      /**
       * @description A `closed` product is not listed and not sold.
       * @enum {string}
       */
      status?: "closed" | "published";
    };
    Invitee: {
      /** Format: uuid */
      user_id?: string;
      phone?: string;
      email?: string;
    };
    IssuedApiKey: {
      /** Format: uuid */
      id: string;
      /** @description The value of the `X-API-Key` header. It is shown only once. */
      key: string;
      name: string;
      scopes: ("hotels:read" | "rooms:read" | "availability:read" | "audit:read" | "passes:scan" | "snow:report")[];
      allowed_domains: string[];
      expires_at: string | null;
    };
    IssuedSkiPass: {
      pass: components["schemas"]["SkiPassNow"];
      /** @description The content of the QR code. Printed codes are shown as they are; a phone adds the time code of docs/gates.md. */
      code: string;
    };
    KeptSkiPassScans: {
      /** Format: date-time */
      server_time: string;
      /** @description How much the clock of the gate is ahead. */
      clock_ahead_ms: number;
      /** @description False: set the clock of the gate. Its passages are in conflict. */
      clock_ok: boolean;
      kept: ({
          /** Format: uuid */
          scan_id: string;
          pass_id: string | null;
          conflict: ("replaced" | "refunded" | "blocked" | "not_yet_valid" | "expired" | "wrong_area" | "spent" | "passback" | "clock") | null;
          problem: ("malformed" | "unknown_key" | "forged" | "stale") | null;
        })[];
      rejected: components["schemas"]["RejectedItem"][];
    };
    Leaderboard: {
      /** @enum {string} */
      period: "day" | "week" | "month" | "season";
      /** @enum {string} */
      metric: "vertical" | "distance" | "runs" | "days";
      /** Format: date */
      starts_on: string;
      /** Format: date */
      ends_on: string;
      /**
       * Format: date-time
       * @description Tracks of the period count until then: 72 hours after its end.
       */
      closes_at: string;
      is_closed: boolean;
      data: components["schemas"]["LeaderboardEntry"][];
      /** @description The number of rows on all pages. */
      total: number;
      /**
       * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
       * @constant
       */
      total_is_at_least?: true;
      page: number;
      per_page: number;
      me: {
        /** @description Equal scores share a rank: 1, 2, 2, 4. */
        rank: number;
        /** @description Metres, or a number. */
        score: number;
        neighbours: components["schemas"]["LeaderboardEntry"][];
      } | null;
    };
    LeaderboardEntry: {
      /** @description Equal scores share a rank: 1, 2, 2, 4. */
      rank: number;
      display_name: string | null;
      name_id: string | null;
      /** @description Metres, or a number. */
      score: number;
      is_me: boolean;
      /** @description Only with `detailed=1`. */
      details?: {
        vertical_m: number;
        distance_m: number;
        runs: number;
        days: number;
        sessions: number;
      };
    };
    LeaderboardNameReport: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      reporter_id: string;
      /** @description What is reported: `message`, `review` and so on. */
      subject_kind: string;
      /** Format: uuid */
      subject_id: string;
      within_id: string | null;
      reason: string;
      /** @enum {string} */
      status: "open" | "resolved";
      action: ("dismissed" | "removed") | null;
      resolved_by: string | null;
      resolved_at: string | null;
      /** Format: date-time */
      created_at: string;
      /** @description What it said each time it was reported, whatever its author has done since, until 30 days after the last report or appeal about it was answered; then empty. */
      reported_texts: {
          text: string;
          /** Format: date-time */
          kept_at: string;
        }[];
      /** @description What is reported; null: it does not exist any more. */
      content: components["schemas"]["ReportedLeaderboardName"] | null;
    };
    LeaderboardParticipation: {
      takes_part: boolean;
      display_name: string | null;
      removal_reason: string | null;
    };
    LedgerAccount: {
      account: string;
      currency: string;
      owner_id: string | null;
      balance_minor: number;
      balance: number;
    };
    LedgerAdjustment: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      kind: "correction" | "chargeback" | "chargeback_won";
      /** @enum {string} */
      status: "requested" | "approved" | "rejected";
      amount_minor: number;
      currency: string;
      reason: string;
      debit: string | null;
      credit: string | null;
      payment_id: string | null;
      item_id: string | null;
      keeps_booking: boolean;
      chargeback_id: string | null;
      /** Format: uuid */
      requested_by: string;
      decided_by: string | null;
      rejection_reason: string | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
      amount: number;
    };
    LedgerEntry: {
      /** Format: uuid */
      event_id: string;
      line: number;
      account: string;
      owner_id: string | null;
      amount_minor: number;
      currency: string;
      type: string;
      payment_id: string | null;
      item_id: string | null;
      payout_id: string | null;
      /** Format: date-time */
      at: string;
      amount: number;
    };
    LiftMarked: {
      /** Format: uuid */
      id: string;
      revision: number;
      retired_at: string | null;
      /** Format: date-time */
      updated_at: string;
      name: string;
      description: string;
      source_id: string | null;
      length_m: number | null;
      bottom_altitude_m: number | null;
      top_altitude_m: number | null;
      schedule: ({
        seasons: ({
            /** Format: date */
            from: string;
            /**
             * Format: date
             * @description The last day.
             */
            until: string;
            hours: ({
                weekdays: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
                opens: string;
                closes: string;
              })[];
          })[];
        /** @description The first one that has a day counts for it. */
        exceptions: ({
            /** Format: date */
            from: string;
            /**
             * Format: date
             * @description The last day.
             */
            until: string;
            /** @description Instead of those of the season; empty: closed. */
            hours: {
                opens: string;
                closes: string;
              }[];
            note: string | null;
          })[];
      }) | null;
      /** @enum {string} */
      kind: "cable_car" | "gondola" | "funicular" | "chair_lift" | "mixed_lift" | "drag_lift" | "t_bar" | "j_bar" | "platter" | "rope_tow" | "magic_carpet" | "railway";
      geometry: {
        /** @constant */
        type: "LineString";
        coordinates: number[][];
      };
      capacity_per_hour: number | null;
      ride_minutes: number | null;
      /** @enum {string} */
      status: "open" | "hold" | "scheduled" | "closed";
      /** @enum {string} */
      source: "manual" | "schedule" | "none";
      reason: string | null;
      until: string | null;
      queue_minutes: number | null;
      queue_people: number | null;
      queue_source: ("manual" | "scans" | "skiers") | null;
      queue_measured_at: string | null;
      /** @description At least so many people wait: nobody knows which share of them was counted. `queue_minutes` is null. */
      queue_is_at_least: boolean;
      /** @description Whether it is a favourite of the caller. Absent for those who are not signed in. */
      is_favorite?: boolean;
    };
    LiftPatch: {
      name?: string;
      description?: string;
      source_id?: string | null;
      length_m?: number | null;
      bottom_altitude_m?: number | null;
      top_altitude_m?: number | null;
      schedule?: ({
        seasons: ({
            /** Format: date */
            from: string;
            /**
             * Format: date
             * @description The last day.
             */
            until: string;
            hours: ({
                weekdays: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
                opens: string;
                closes: string;
              })[];
          })[];
        /** @description The first one that has a day counts for it. */
        exceptions: ({
            /** Format: date */
            from: string;
            /**
             * Format: date
             * @description The last day.
             */
            until: string;
            /** @description Instead of those of the season; empty: closed. */
            hours: {
                opens: string;
                closes: string;
              }[];
            note: string | null;
          })[];
      }) | null;
      /** @enum {string} */
      kind?: "cable_car" | "gondola" | "funicular" | "chair_lift" | "mixed_lift" | "drag_lift" | "t_bar" | "j_bar" | "platter" | "rope_tow" | "magic_carpet" | "railway";
      geometry?: {
        /** @constant */
        type: "LineString";
        coordinates: number[][];
      };
      capacity_per_hour?: number | null;
      ride_minutes?: number | null;
      /**
       * @description `hold`: stopped for a short time, with a reason. `auto`: back to the schedule.
       * @enum {string}
       */
      status?: "open" | "closed" | "hold" | "auto";
      until?: string | null;
      reason?: string | null;
      queue?: {
        people?: number;
        minutes?: number;
      } | null;
    };
    LiveFriend: {
      /** Format: uuid */
      user_id: string;
      first_name: string | null;
      last_name: string | null;
      position: {
        lat: number;
        lon: number;
        /** @description Radius around the point, in metres. */
        accuracy_m?: number;
        /** @description Above sea level, in metres. */
        altitude_m?: number;
        /** @description Metres a second. */
        speed_mps?: number;
        /** @description Degrees from north, clockwise. */
        heading?: number;
        /** @description Charge of the device. */
        battery_pct?: number;
      } | null;
      at: string | null;
      age_s: number | null;
      /** Format: date-time */
      until: string;
    };
    LiveSharing: {
      sharing: ({
        /** Format: date-time */
        until: string;
        with: string[] | null;
      }) | null;
    };
    MailReport: {
      /** @description `email.bounced` and `email.complained` are read, others are ignored. */
      type: string;
      data: {
        /** @description The `Message-ID` of the e-mail. */
        message_id: string;
        /**
         * @description Of a bounce: false where the address may take e-mails again.
         * @default true
         */
        permanent?: boolean;
        /** @description Of a bounce: the reply code of the mail server. */
        code?: number;
        [key: string]: unknown;
      };
      [key: string]: unknown;
    };
    MailsSentAgain: {
      /** @description How many e-mails are sent again. */
      mails: number;
    };
    Message: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      thread_id: string;
      /** @description Its number within the chat: 1, 2, and so on. */
      seq: number;
      /** Format: uuid */
      sender_id: string;
      /** @enum {string} */
      kind: "text" | "image" | "voice";
      body: string | null;
      reply_to_id: string | null;
      reply_to_seq: number | null;
      mentions: string[];
      client_message_id: string | null;
      /** Format: date-time */
      sent_at: string;
      edited_at: string | null;
      /** @description First and last name; `Anna O.` of an agent of the support; `Deleted user` once the account is erased. */
      sender_name: string;
      attachments: components["schemas"]["Attachment"][];
      deletion: ("author" | "moderator" | "erased") | null;
      /** @description Up to 20 members who have read it. */
      read_by: string[];
      /** @description How many members have read it, beside its sender. */
      read_count: number;
    };
    MessageHistory: {
      /** Format: uuid */
      message_id: string;
      /** @description The oldest first; the last one is what the message says now, or said until it was deleted. */
      versions: {
          body: string;
          /** Format: date-time */
          written_at: string;
        }[];
      /** @description What a message had that its author deleted while a report of it was open, for admins, 30 days long. Otherwise empty. */
      attachments: components["schemas"]["Attachment"][];
      removal_reason: string | null;
    };
    MountainClosure: {
      /** Format: date */
      from: string;
      /**
       * Format: date
       * @description The last date, included.
       */
      to: string;
      reason: string;
      /** @default false */
      preview?: boolean;
    };
    NewAccount: {
      /** @enum {string} */
      role: "tourist" | "hotelier" | "tour_operator" | "transfer_provider" | "instructor" | "restaurant" | "admin" | "restaurateur";
      email?: string;
      /** @description With the country code, as it is written or copied anywhere: it is stored in E.164. A number that no country has is 422. */
      phone?: string;
      first_name?: string;
      last_name?: string;
      language?: string;
      password?: string;
    };
    NewAnalyticsEvent: {
      /**
       * Format: uuid
       * @description Chosen by the app once for each event; the same when it is sent again.
       */
      event_id: string;
      /** @enum {string} */
      kind: "screen_view" | "click" | "conversion";
      name: string;
      /**
       * Format: date-time
       * @description By the clock of the device. The same when it is sent again.
       */
      occurred_at: string;
      /**
       * Format: uuid
       * @description One for each visit.
       */
      session_id: string;
      /** @description At most 8 KiB. No names, addresses or other texts of people. */
      properties?: Record<string, never>;
      /**
       * Format: date-time
       * @description When the request was sent, by the clock of the device. A clock that is 2 to 60 minutes wrong is corrected by it.
       */
      sent_at?: string;
    };
    NewAppeal: {
      /** @enum {string} */
      kind: "post" | "topic" | "sanction" | "review" | "story" | "leaderboard_name" | "message" | "voice_recording";
      /**
       * Format: uuid
       * @description Of what was removed, or of the sanction.
       */
      subject_id: string;
      text: string;
    };
    NewBadge: {
      name: {
        ru: string;
        en: string;
      };
      description: {
        ru: string;
        en: string;
      };
      /** @enum {string} */
      metric: "sessions" | "vertical" | "distance" | "runs" | "days" | "passes" | "bookings" | "reviews" | "friends";
      /** @description Metres, or a number. */
      threshold: number;
      /**
       * @description All of it must happen in one day, ISO week, month or season; or ever.
       * @enum {string}
       */
      window: "day" | "week" | "month" | "season" | "ever";
      season?: number | null;
    };
    NewBooking: ({
      /** @enum {unknown} */
      type: "hotel" | "tour" | "restaurant" | "transfer" | "instructor";
    }) & (components["schemas"]["NewHotelBooking"] | components["schemas"]["NewTourBooking"] | components["schemas"]["NewTableBooking"] | components["schemas"]["NewTransferBooking"] | components["schemas"]["NewLessonBooking"]);
    NewCall: {
      /** Format: uuid */
      callee_id: string;
      /** @enum {string} */
      kind: "audio" | "video";
    };
    NewChargeback: {
      /** Format: uuid */
      payment_id: string;
      /** Format: uuid */
      item_id?: string;
      amount?: number;
      /** @description Why, for auditors. Must not contain personal data. */
      reason: string;
      /** @default false */
      keeps_booking?: boolean;
    };
    NewChat: {
      /** Format: uuid */
      user_id?: string;
      title?: string;
      member_ids?: string[];
    };
    NewCompany: {
      name: string;
      city: string;
      address: string;
      description?: string;
      sells: ("hotel" | "tour" | "restaurant" | "transfer" | "instructor")[];
      website?: string | null;
      /** @description Each has either `url` or `file_id`. At most one is the main one. */
      images?: {
          /**
           * Format: uri
           * @description Of a picture that is elsewhere, or as a reply has it.
           */
          url?: string;
          /**
           * Format: uuid
           * @description Of a picture that was uploaded to the folder `listings`.
           */
          file_id?: string;
          is_main: boolean;
        }[];
      location: {
        latitude: number;
        longitude: number;
      };
      /** @description IANA name. All times of the listing are in this zone. */
      timezone: string;
      currency: string;
      /**
       * Format: uuid
       * @description Admins only. Default: the caller.
       */
      owner_id?: string;
      /**
       * @description A `closed` listing is not listed and cannot be booked.
       * @enum {string}
       */
      status?: "closed" | "published";
    };
    NewCorrection: {
      debit: string;
      credit: string;
      amount: number;
      currency: string;
      /** @description Why, for auditors. Must not contain personal data. */
      reason: string;
    };
    NewFeatureFlag: {
      key: string;
      enabled?: boolean;
      description?: string;
      condition?: {
        /** @description The first one that applies turns the flag on. None: the flag is on for everybody. */
        strategies?: (({
            /** @enum {unknown} */
            name: "default" | "userWithId" | "flexibleRollout" | "role" | "remoteAddress" | "gradualRolloutUserId" | "gradualRolloutSessionId" | "gradualRolloutRandom";
          }) & (({
            /** @constant */
            name: "default";
            /** @description All of them must hold. */
            constraints?: ({
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              })[];
            /** @description The constraints of these must hold as well. */
            segments?: string[];
            /** @description Instead of those of the flag. */
            variants?: ({
                name: string;
                /** @description Its share among the weights of all variants. */
                weight: number;
                payload?: {
                  /** @enum {string} */
                  type: "string" | "number" | "json" | "csv";
                  value: string;
                };
                /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
                stickiness?: string;
                /** @description Whoever has one of these values gets this variant. */
                overrides?: {
                    /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                    context: string;
                    values: string[];
                  }[];
              })[];
          }) | ({
            /** @constant */
            name: "userWithId";
            users: string[];
            /** @description All of them must hold. */
            constraints?: ({
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              })[];
            /** @description The constraints of these must hold as well. */
            segments?: string[];
            /** @description Instead of those of the flag. */
            variants?: ({
                name: string;
                /** @description Its share among the weights of all variants. */
                weight: number;
                payload?: {
                  /** @enum {string} */
                  type: "string" | "number" | "json" | "csv";
                  value: string;
                };
                /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
                stickiness?: string;
                /** @description Whoever has one of these values gets this variant. */
                overrides?: {
                    /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                    context: string;
                    values: string[];
                  }[];
              })[];
          }) | ({
            /** @constant */
            name: "flexibleRollout";
            rollout: number;
            /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
            stickiness?: string;
            /** @description Flags with the same group reach the same people. The key by default. */
            group?: string;
            /** @description All of them must hold. */
            constraints?: ({
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              })[];
            /** @description The constraints of these must hold as well. */
            segments?: string[];
            /** @description Instead of those of the flag. */
            variants?: ({
                name: string;
                /** @description Its share among the weights of all variants. */
                weight: number;
                payload?: {
                  /** @enum {string} */
                  type: "string" | "number" | "json" | "csv";
                  value: string;
                };
                /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
                stickiness?: string;
                /** @description Whoever has one of these values gets this variant. */
                overrides?: {
                    /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                    context: string;
                    values: string[];
                  }[];
              })[];
          }) | ({
            /** @constant */
            name: "role";
            roles: ("tourist" | "hotelier" | "tour_operator" | "transfer_provider" | "instructor" | "restaurant" | "admin")[];
            /** @description All of them must hold. */
            constraints?: ({
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              })[];
            /** @description The constraints of these must hold as well. */
            segments?: string[];
            /** @description Instead of those of the flag. */
            variants?: ({
                name: string;
                /** @description Its share among the weights of all variants. */
                weight: number;
                payload?: {
                  /** @enum {string} */
                  type: "string" | "number" | "json" | "csv";
                  value: string;
                };
                /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
                stickiness?: string;
                /** @description Whoever has one of these values gets this variant. */
                overrides?: {
                    /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                    context: string;
                    values: string[];
                  }[];
              })[];
          }) | ({
            /** @constant */
            name: "remoteAddress";
            /** @description Addresses and networks: `192.168.0.0/16`. */
            addresses: string[];
            /** @description All of them must hold. */
            constraints?: ({
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              })[];
            /** @description The constraints of these must hold as well. */
            segments?: string[];
            /** @description Instead of those of the flag. */
            variants?: ({
                name: string;
                /** @description Its share among the weights of all variants. */
                weight: number;
                payload?: {
                  /** @enum {string} */
                  type: "string" | "number" | "json" | "csv";
                  value: string;
                };
                /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
                stickiness?: string;
                /** @description Whoever has one of these values gets this variant. */
                overrides?: {
                    /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                    context: string;
                    values: string[];
                  }[];
              })[];
          }) | ({
            /** @constant */
            name: "gradualRolloutUserId";
            rollout: number;
            /** @description Flags with the same group reach the same people. The key by default. */
            group?: string;
            /** @description All of them must hold. */
            constraints?: ({
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              })[];
            /** @description The constraints of these must hold as well. */
            segments?: string[];
            /** @description Instead of those of the flag. */
            variants?: ({
                name: string;
                /** @description Its share among the weights of all variants. */
                weight: number;
                payload?: {
                  /** @enum {string} */
                  type: "string" | "number" | "json" | "csv";
                  value: string;
                };
                /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
                stickiness?: string;
                /** @description Whoever has one of these values gets this variant. */
                overrides?: {
                    /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                    context: string;
                    values: string[];
                  }[];
              })[];
          }) | ({
            /** @constant */
            name: "gradualRolloutSessionId";
            rollout: number;
            /** @description Flags with the same group reach the same people. The key by default. */
            group?: string;
            /** @description All of them must hold. */
            constraints?: ({
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              })[];
            /** @description The constraints of these must hold as well. */
            segments?: string[];
            /** @description Instead of those of the flag. */
            variants?: ({
                name: string;
                /** @description Its share among the weights of all variants. */
                weight: number;
                payload?: {
                  /** @enum {string} */
                  type: "string" | "number" | "json" | "csv";
                  value: string;
                };
                /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
                stickiness?: string;
                /** @description Whoever has one of these values gets this variant. */
                overrides?: {
                    /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                    context: string;
                    values: string[];
                  }[];
              })[];
          }) | ({
            /** @constant */
            name: "gradualRolloutRandom";
            rollout: number;
            /** @description All of them must hold. */
            constraints?: ({
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                /** @enum {string} */
                operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
                /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
                values: string[];
                /** @description The constraint holds when the operator does not. */
                inverted?: boolean;
                /** @description `STR_…` and `REGEX` ignore case. */
                insensitive?: boolean;
              })[];
            /** @description The constraints of these must hold as well. */
            segments?: string[];
            /** @description Instead of those of the flag. */
            variants?: ({
                name: string;
                /** @description Its share among the weights of all variants. */
                weight: number;
                payload?: {
                  /** @enum {string} */
                  type: "string" | "number" | "json" | "csv";
                  value: string;
                };
                /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
                stickiness?: string;
                /** @description Whoever has one of these values gets this variant. */
                overrides?: {
                    /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                    context: string;
                    values: string[];
                  }[];
              })[];
          })))[];
        parents?: {
            flag: string;
            /** @default true */
            enabled?: boolean;
            /** @description It must have one of these variants. */
            variants?: string[];
          }[];
      };
      payload?: {
        variants: ({
            name: string;
            /** @description Its share among the weights of all variants. */
            weight: number;
            payload?: {
              /** @enum {string} */
              type: "string" | "number" | "json" | "csv";
              value: string;
            };
            /** @description The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance. */
            stickiness?: string;
            /** @description Whoever has one of these values gets this variant. */
            overrides?: {
                /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
                context: string;
                values: string[];
              }[];
          })[];
      };
      expires?: string | null;
      reason?: string;
    };
    NewFlagSegment: {
      name: string;
      constraints: ({
          /** @description A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`. */
          context: string;
          /** @enum {string} */
          operator: "IN" | "NOT_IN" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS" | "NUM_EQ" | "NUM_GT" | "NUM_GTE" | "NUM_LT" | "NUM_LTE" | "DATE_AFTER" | "DATE_BEFORE" | "SEMVER_EQ" | "SEMVER_GT" | "SEMVER_GTE" | "SEMVER_LT" | "SEMVER_LTE" | "REGEX" | "IN_CIDR";
          /** @description Operators on numbers, dates, versions and `REGEX` take exactly one. */
          values: string[];
          /** @description The constraint holds when the operator does not. */
          inverted?: boolean;
          /** @description `STR_…` and `REGEX` ignore case. */
          insensitive?: boolean;
        })[];
    };
    NewForumAppeal: {
      /** @enum {string} */
      kind: "post" | "topic" | "sanction";
      /**
       * Format: uuid
       * @description Of what was removed, or of the sanction.
       */
      subject_id: string;
      text: string;
    };
    NewForumCategory: {
      title: string;
      description?: string;
      position?: number;
      admins_start?: boolean;
    };
    NewForumPost: {
      body: string;
      /** @description Ids of own files, uploaded to the folder `forums`. `image_url` of the post is the first one. */
      picture_ids?: string[];
      mentions?: string[];
      client_post_id?: string;
      /** Format: uuid */
      reply_to_id?: string;
      quotes?: string[];
    };
    NewForumSanction: {
      /** Format: uuid */
      account_id: string;
      /** Format: uuid */
      topic_id?: string;
      /** Format: date-time */
      until: string;
      reason: string;
    };
    NewForumTopic: {
      /** Format: uuid */
      category_id: string;
      title: string;
      body: string;
      /** @description Ids of own files, uploaded to the folder `forums`. `image_url` of the post is the first one. */
      picture_ids?: string[];
      mentions?: string[];
    };
    NewHotel: {
      name: string;
      city: string;
      address: string;
      stars: number;
      description?: string;
      amenities?: string[];
      /** @description Each has either `url` or `file_id`. At most one is the main one. */
      images?: {
          /**
           * Format: uri
           * @description Of a picture that is elsewhere, or as a reply has it.
           */
          url?: string;
          /**
           * Format: uuid
           * @description Of a picture that was uploaded to the folder `listings`.
           */
          file_id?: string;
          is_main: boolean;
        }[];
      location: {
        latitude: number;
        longitude: number;
      };
      /** @enum {string} */
      cancellation_policy?: "flexible" | "moderate" | "strict" | "non_refundable";
      /**
       * @description `instant`: a paid booking is certain. `on_request`: the seller confirms or rejects it, until `answer_by` of the booking.
       * @enum {string}
       */
      confirmation?: "instant" | "on_request";
      charges?: (({
          /** @enum {string} */
          kind: "tax" | "fee";
          name: string;
          bps: number;
        }) | ({
          /** @enum {string} */
          kind: "tax" | "fee";
          name: string;
          per_night: number;
        }))[];
      /** @description IANA name. All times of the listing are in this zone. */
      timezone: string;
      currency: string;
      /**
       * Format: uuid
       * @description Admins only. Default: the caller.
       */
      owner_id?: string;
      /**
       * @description A `closed` listing is not listed and cannot be booked.
       * @enum {string}
       */
      status?: "closed" | "published";
    };
    NewHotelBooking: {
      /** @constant */
      type: "hotel";
      /** Format: uuid */
      item_id: string;
      /** Format: date */
      check_in: string;
      /** Format: date */
      check_out: string;
      guests: number;
      notes?: string | null;
      /** @description For the seller. The name of the profile by default; null: not told. */
      guest_name?: string | null;
      /** @description For the seller, with the country code. The number of the profile by default; null: not told. */
      guest_phone?: string | null;
      /** @description When the guest expects to come: `HH:MM` in the local time of the place. */
      arrival_time?: string | null;
      /** @description A promo code, in any letter case. */
      promo?: string;
      /** @description The total that the customer was shown. If it has changed, the answer is 409 `price_changed` with the new quote. */
      expected_total?: number;
    };
    NewInstructor: {
      name: string;
      city: string;
      description?: string;
      disciplines: ("ski" | "snowboard" | "freeride" | "cross_country" | "telemark")[];
      levels: ("beginner" | "intermediate" | "advanced" | "expert" | "kids")[];
      languages?: string[];
      /** @description Each has either `url` or `file_id`. At most one is the main one. */
      images?: {
          /**
           * Format: uri
           * @description Of a picture that is elsewhere, or as a reply has it.
           */
          url?: string;
          /**
           * Format: uuid
           * @description Of a picture that was uploaded to the folder `listings`.
           */
          file_id?: string;
          is_main: boolean;
        }[];
      location: {
        latitude: number;
        longitude: number;
      };
      price_per_hour: number;
      max_group: number;
      working_hours: ({
          weekdays: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
          from: string;
          to: string;
        })[];
      closed_dates?: string[];
      /** @enum {string} */
      cancellation_policy?: "flexible" | "moderate" | "strict" | "non_refundable";
      /**
       * @description `instant`: a paid booking is certain. `on_request`: the seller confirms or rejects it, until `answer_by` of the booking.
       * @enum {string}
       */
      confirmation?: "instant" | "on_request";
      /** @description Whether a guest may book this although they have another booking of the same kind at the same time, for others. Otherwise that is refused (409 `overlapping_booking`). */
      allow_overlapping?: boolean;
      /** @description IANA name. All times of the listing are in this zone. */
      timezone: string;
      currency: string;
      /**
       * Format: uuid
       * @description Admins only. Default: the caller.
       */
      owner_id?: string;
      /**
       * @description A `closed` listing is not listed and cannot be booked.
       * @enum {string}
       */
      status?: "closed" | "published";
    };
    NewInsuranceProduct: {
      name: string;
      description?: string;
      activities: ("ski" | "freeride" | "snowmobile" | "snowshoe" | "hike" | "sightseeing" | "other")[];
      max_days: number;
      coverage: ({
          /** @enum {string} */
          risk: "medical" | "mountain_rescue" | "accident" | "liability" | "equipment" | "trip_cancellation";
          limit: number;
        })[];
      price_per_person_day: number;
      /** @description IANA name. Dates are in this zone. */
      timezone: string;
      currency: string;
      /**
       * @description A `closed` product is not listed and not sold.
       * @enum {string}
       */
      status?: "closed" | "published";
    };
    NewLessonBooking: {
      /** @constant */
      type: "instructor";
      /** Format: uuid */
      item_id: string;
      /** Format: date-time */
      slot_start: string;
      /** Format: date-time */
      slot_end: string;
      guests: number;
      notes?: string | null;
      /** @description For the seller. The name of the profile by default; null: not told. */
      guest_name?: string | null;
      /** @description For the seller, with the country code. The number of the profile by default; null: not told. */
      guest_phone?: string | null;
      /** @description When the guest expects to come: `HH:MM` in the local time of the place. */
      arrival_time?: string | null;
      /** @description A promo code, in any letter case. */
      promo?: string;
      /** @description The total that the customer was shown. If it has changed, the answer is 409 `price_changed` with the new quote. */
      expected_total?: number;
    };
    NewLift: {
      name: string;
      description?: string;
      source_id?: string | null;
      length_m?: number | null;
      bottom_altitude_m?: number | null;
      top_altitude_m?: number | null;
      schedule?: ({
        seasons: ({
            /** Format: date */
            from: string;
            /**
             * Format: date
             * @description The last day.
             */
            until: string;
            hours: ({
                weekdays: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
                opens: string;
                closes: string;
              })[];
          })[];
        /** @description The first one that has a day counts for it. */
        exceptions: ({
            /** Format: date */
            from: string;
            /**
             * Format: date
             * @description The last day.
             */
            until: string;
            /** @description Instead of those of the season; empty: closed. */
            hours: {
                opens: string;
                closes: string;
              }[];
            note: string | null;
          })[];
      }) | null;
      /** @enum {string} */
      kind: "cable_car" | "gondola" | "funicular" | "chair_lift" | "mixed_lift" | "drag_lift" | "t_bar" | "j_bar" | "platter" | "rope_tow" | "magic_carpet" | "railway";
      geometry: {
        /** @constant */
        type: "LineString";
        coordinates: number[][];
      };
      capacity_per_hour?: number | null;
      ride_minutes?: number | null;
    };
    NewLivePosition: {
      lat: number;
      lon: number;
      /** @description Radius around the point, in metres. */
      accuracy_m?: number;
      /** @description Above sea level, in metres. */
      altitude_m?: number;
      /** @description Metres a second. */
      speed_mps?: number;
      /** @description Degrees from north, clockwise. */
      heading?: number;
      /** @description Charge of the device. */
      battery_pct?: number;
      /**
       * Format: date-time
       * @description When the device was there; now by default.
       */
      at?: string;
      /**
       * Format: date-time
       * @description When the device sent the request, by the clock of `at`: one that is a minute or more wrong is corrected.
       */
      sent_at?: string;
    };
    NewLiveSharing: {
      minutes: 15 | 60 | 480;
      with?: string[];
    };
    NewMessage: {
      /** Format: uuid */
      thread_id: string;
      /**
       * @default text
       * @enum {string}
       */
      kind?: "text" | "image" | "voice";
      body?: string;
      /** @description Ids of own files, uploaded to the folder `chat`. */
      attachments?: string[];
      /** Format: uuid */
      reply_to_id?: string;
      mentions?: string[];
      client_message_id?: string;
    };
    NewPayment: {
      /** Format: uuid */
      booking_id?: string;
      /** Format: uuid */
      trip_id?: string;
      /** Format: uuid */
      purchase_id?: string;
      /** @enum {string} */
      method?: "card" | "sbp" | "wallet";
      /** Format: uuid */
      payment_method_id?: string;
      amount?: number;
    };
    NewPost: {
      /** @enum {string} */
      kind: "news" | "promotion" | "event";
      texts: {
        ru?: {
          title: string;
          summary?: string;
          body?: string;
        } | null;
        en?: {
          title: string;
          summary?: string;
          body?: string;
        } | null;
      };
      /** @description Each has either `url` or `file_id`. At most one is the main one. */
      images?: {
          /**
           * Format: uri
           * @description Of a picture that is elsewhere, or as a reply has it.
           */
          url?: string;
          /**
           * Format: uuid
           * @description Of a picture that was uploaded to the folder `listings`.
           */
          file_id?: string;
          is_main: boolean;
        }[];
      link?: string | null;
      happening?: ({
        place: string;
        location: {
          latitude: number;
          longitude: number;
        } | null;
        /** Format: date-time */
        starts_at: string;
        /** Format: date-time */
        ends_at: string;
        timezone: string;
      }) | null;
      publish_at?: string | null;
      expires_at?: string | null;
      promo_code?: string | null;
    };
    NewPromoCode: {
      code: string;
      currency?: string;
      /** @description Percent of the price, with at most two decimals. Send either this or `discount`. */
      discount_percent?: number | null;
      /** @description An amount off the price. */
      discount?: number | null;
      /** @description The most that a percentage takes off; null: any amount. */
      most_discount?: number | null;
      /**
       * @description Who gives up the money. With `seller`, send `seller_id`.
       * @enum {string}
       */
      borne_by?: "platform" | "seller";
      /** @description Only for what this seller sells; null: any seller. */
      seller_id?: string | null;
      /** @description Types of bookings and services; empty: all. */
      types?: ("hotel" | "tour" | "restaurant" | "transfer" | "instructor" | "ski_pass" | "insurance")[];
      /** @description Only for these hotels, tours, ski pass tariffs, insurance products, and so on; empty: all. */
      listing_ids?: string[];
      usable_from?: string | null;
      usable_until?: string | null;
      /** @description The first date on which it may start: a booking, or the validity of passes and insurance. */
      starts_from?: string | null;
      /** @description The last such date. */
      starts_to?: string | null;
      /** @description The least price before the discount. */
      least_total?: number;
      /** @description By all guests together. */
      uses?: number;
      uses_per_person?: number;
      /** @description Only for guests who have not paid for a booking before; never for ski passes and insurance. */
      first_booking_only?: boolean;
    };
    NewPushBroadcast: {
      segment: {
        roles?: ("tourist" | "hotelier" | "tour_operator" | "transfer_provider" | "instructor" | "restaurant" | "admin")[];
        platforms?: ("ios" | "android" | "web")[];
        /** @description Apps older than this version. */
        app_version_lt?: string;
        /**
         * Format: date-time
         * @description Devices that were registered again since.
         */
        last_seen_after?: string;
        user_ids?: string[];
        /** @description Of the device, else of the account. `en` is also `en-GB`. */
        languages?: string[];
      };
      /** @description Whose language is missing gets the other one. */
      texts: {
        ru?: {
          title: string;
          body: string;
        };
        en?: {
          title: string;
          body: string;
        };
      };
      /**
       * @default system
       * @enum {string}
       */
      kind?: "marketing" | "system";
      /** @description Where the app goes when it is opened. */
      link?: string;
      /** @enum {string} */
      urgency?: "normal" | "high";
      /**
       * Format: date-time
       * @description Otherwise at once.
       */
      send_at?: string;
      /**
       * Format: date-time
       * @description What is not delivered by then never is. A day later by default.
       */
      expires_at?: string;
      dry_run?: boolean;
    };
    NewPushDevice: {
      /** @enum {string} */
      platform: "ios" | "android" | "web";
      /** @description Of APNs in hexadecimal for iOS, otherwise of Firebase Cloud Messaging. */
      token: string;
      /**
       * @description Of iOS: `sandbox` for a build that was installed from Xcode.
       * @enum {string}
       */
      environment?: "production" | "sandbox";
      app_version?: string;
      /** @description Of the app; otherwise that of the account. */
      language?: string;
    };
    NewRestaurant: {
      name: string;
      city: string;
      address: string;
      description?: string;
      cuisines?: string[];
      /** @description Each has either `url` or `file_id`. At most one is the main one. */
      images?: {
          /**
           * Format: uri
           * @description Of a picture that is elsewhere, or as a reply has it.
           */
          url?: string;
          /**
           * Format: uuid
           * @description Of a picture that was uploaded to the folder `listings`.
           */
          file_id?: string;
          is_main: boolean;
        }[];
      location: {
        latitude: number;
        longitude: number;
      };
      average_bill: number;
      opening_hours: ({
          weekdays: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
          from: string;
          to: string;
        })[];
      closed_dates?: string[];
      sitting_minutes: number;
      deposit_per_guest?: number;
      tables: {
          /**
           * Format: uuid
           * @description Of an existing one; a new one gets its id from the server.
           */
          id?: string;
          name: string;
          seats: number;
          units: number;
        }[];
      /** @enum {string} */
      cancellation_policy?: "flexible" | "moderate" | "strict" | "non_refundable";
      /**
       * @description `instant`: a paid booking is certain. `on_request`: the seller confirms or rejects it, until `answer_by` of the booking.
       * @enum {string}
       */
      confirmation?: "instant" | "on_request";
      /** @description Whether a guest may book this although they have another booking of the same kind at the same time, for others. Otherwise that is refused (409 `overlapping_booking`). */
      allow_overlapping?: boolean;
      /** @description IANA name. All times of the listing are in this zone. */
      timezone: string;
      currency: string;
      /**
       * Format: uuid
       * @description Admins only. Default: the caller.
       */
      owner_id?: string;
      /**
       * @description A `closed` listing is not listed and cannot be booked.
       * @enum {string}
       */
      status?: "closed" | "published";
    };
    NewReview: {
      /** @enum {string} */
      target_type: "hotel" | "tour" | "restaurant" | "transfer" | "instructor";
      /**
       * Format: uuid
       * @description The listing: of a room, its hotel.
       */
      target_id: string;
      /** Format: uuid */
      booking_id?: string;
      rating: number;
      text: string;
      /** @description Own files that were uploaded to the folder `reviews`, in the order in which they are shown. */
      picture_ids?: string[];
    };
    NewRoleRequest: {
      /** @enum {string} */
      role: "hotelier" | "tour_operator" | "transfer_provider" | "instructor" | "restaurant" | "restaurateur";
      company_name: string;
      documents?: {
          name: string;
          /** Format: uri */
          url: string;
        }[];
      comment?: string | null;
    };
    NewRoom: {
      name: string;
      capacity: number;
      units: number;
      /** @description In major units of the currency of the hotel. */
      price_per_night: number;
      description?: string;
      amenities?: string[];
      /** @description Each has either `url` or `file_id`. At most one is the main one. */
      images?: {
          /**
           * Format: uri
           * @description Of a picture that is elsewhere, or as a reply has it.
           */
          url?: string;
          /**
           * Format: uuid
           * @description Of a picture that was uploaded to the folder `listings`.
           */
          file_id?: string;
          is_main: boolean;
        }[];
    };
    NewSettlement: {
      provider: string;
      currency: string;
      amount: number;
      fee?: number;
      reference: string;
    };
    NewSkiPassTariff: {
      name: string;
      description?: string;
      images?: {
          /** Format: uri */
          url: string;
          is_main: boolean;
        }[];
      /** @enum {string} */
      age_group: "adult" | "youth" | "child" | "senior" | "family";
      ages?: {
        from: number;
        to: number;
      } | null;
      family?: {
        adults: number;
        children: number;
      } | null;
      duration: {
        /** @enum {string} */
        unit: "hour" | "day" | "season";
        count: number;
      };
      within_days: number;
      season: {
        /** Format: date */
        from: string;
        /** Format: date */
        to: string;
      };
      areas?: number[];
      refunds_unused?: boolean;
      price: number;
      season_prices?: {
          /** Format: date */
          from: string;
          /** Format: date */
          to: string;
          price: number;
        }[];
      deposit?: number;
      /** @description IANA name. Dates are in this zone. */
      timezone: string;
      currency: string;
      /**
       * @description A `closed` product is not listed and not sold.
       * @enum {string}
       */
      status?: "closed" | "published";
    };
    NewSlope: {
      name: string;
      description?: string;
      source_id?: string | null;
      length_m?: number | null;
      bottom_altitude_m?: number | null;
      top_altitude_m?: number | null;
      schedule?: ({
        seasons: ({
            /** Format: date */
            from: string;
            /**
             * Format: date
             * @description The last day.
             */
            until: string;
            hours: ({
                weekdays: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
                opens: string;
                closes: string;
              })[];
          })[];
        /** @description The first one that has a day counts for it. */
        exceptions: ({
            /** Format: date */
            from: string;
            /**
             * Format: date
             * @description The last day.
             */
            until: string;
            /** @description Instead of those of the season; empty: closed. */
            hours: {
                opens: string;
                closes: string;
              }[];
            note: string | null;
          })[];
      }) | null;
      /** @enum {string} */
      difficulty: "novice" | "easy" | "intermediate" | "advanced" | "expert" | "freeride";
      geometry: ({
        /** @enum {unknown} */
        type: "LineString" | "Polygon";
      }) & ({
        /** @constant */
        type: "LineString";
        coordinates: number[][];
      } | {
        /** @constant */
        type: "Polygon";
        coordinates: number[][][];
      });
      /** @description The lifts from whose upper stations it is reached. */
      from_lifts?: string[];
      /** @description The lifts whose lower stations are reached from it. */
      to_lifts?: string[];
      /** @description The slopes that it leads to. */
      to_slopes?: string[];
      groomed_at?: string | null;
    };
    NewSosDuty: {
      shifts: ({
          /** Format: uuid */
          account_id: string;
          from?: string | null;
          until?: string | null;
        })[];
    };
    NewStory: {
      /**
       * Format: uuid
       * @description A file of yours that was uploaded to the folder `stories`.
       */
      media_id: string;
      /** @default */
      text?: string;
    };
    NewSupportTicket: {
      subject: string;
      message: string;
    };
    NewTableBooking: {
      /** @constant */
      type: "restaurant";
      /** Format: uuid */
      item_id: string;
      /** Format: date-time */
      slot_start: string;
      guests: number;
      notes?: string | null;
      /** @description For the seller. The name of the profile by default; null: not told. */
      guest_name?: string | null;
      /** @description For the seller, with the country code. The number of the profile by default; null: not told. */
      guest_phone?: string | null;
      /** @description When the guest expects to come: `HH:MM` in the local time of the place. */
      arrival_time?: string | null;
      /** @description A promo code, in any letter case. */
      promo?: string;
      /** @description The total that the customer was shown. If it has changed, the answer is 409 `price_changed` with the new quote. */
      expected_total?: number;
    };
    NewTour: {
      name: string;
      city: string;
      description?: string;
      /** @enum {string} */
      activity: "ski" | "freeride" | "snowmobile" | "snowshoe" | "hike" | "sightseeing" | "other";
      /** @enum {string} */
      difficulty: "easy" | "moderate" | "hard" | "expert";
      languages?: string[];
      /** @description Each has either `url` or `file_id`. At most one is the main one. */
      images?: {
          /**
           * Format: uri
           * @description Of a picture that is elsewhere, or as a reply has it.
           */
          url?: string;
          /**
           * Format: uuid
           * @description Of a picture that was uploaded to the folder `listings`.
           */
          file_id?: string;
          is_main: boolean;
        }[];
      meeting_point: string;
      location: {
        latitude: number;
        longitude: number;
      };
      duration_minutes: number;
      seats: number;
      price_per_person: number;
      schedule?: ({
          /** Format: date */
          from: string;
          /** Format: date */
          to: string;
          weekdays: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
          time: string;
        })[];
      closed_dates?: string[];
      /** @enum {string} */
      cancellation_policy?: "flexible" | "moderate" | "strict" | "non_refundable";
      /**
       * @description `instant`: a paid booking is certain. `on_request`: the seller confirms or rejects it, until `answer_by` of the booking.
       * @enum {string}
       */
      confirmation?: "instant" | "on_request";
      /** @description Whether a guest may book this although they have another booking of the same kind at the same time, for others. Otherwise that is refused (409 `overlapping_booking`). */
      allow_overlapping?: boolean;
      /** @description IANA name. All times of the listing are in this zone. */
      timezone: string;
      currency: string;
      /**
       * Format: uuid
       * @description Admins only. Default: the caller.
       */
      owner_id?: string;
      /**
       * @description A `closed` listing is not listed and cannot be booked.
       * @enum {string}
       */
      status?: "closed" | "published";
    };
    NewTourBooking: {
      /** @constant */
      type: "tour";
      /** Format: uuid */
      item_id: string;
      /** Format: date-time */
      slot_start: string;
      guests: number;
      notes?: string | null;
      /** @description For the seller. The name of the profile by default; null: not told. */
      guest_name?: string | null;
      /** @description For the seller, with the country code. The number of the profile by default; null: not told. */
      guest_phone?: string | null;
      /** @description When the guest expects to come: `HH:MM` in the local time of the place. */
      arrival_time?: string | null;
      /** @description A promo code, in any letter case. */
      promo?: string;
      /** @description The total that the customer was shown. If it has changed, the answer is 409 `price_changed` with the new quote. */
      expected_total?: number;
    };
    NewTrackPoint: {
      /** @description Counts the fixes of a session on the device. */
      seq: number;
      /**
       * Format: date-time
       * @description When the device was there: the time of the fix.
       */
      t: string;
      /** @description Degrees, WGS 84. */
      lat: number;
      /** @description Degrees, WGS 84. */
      lon: number;
      /** @description Metres; null, missing or exactly 0: the device does not know. */
      alt?: number | null;
      /** @description Horizontal accuracy in metres; negative: the device does not know. */
      acc: number;
      /** @description Metres a second; negative: the device does not know. */
      speed?: number | null;
      /** @description Whether the device says that the position is simulated. */
      mock?: boolean;
    };
    NewTrackingDay: {
      /**
       * Format: date
       * @description At the resort.
       */
      day: string;
      distance_m: number;
      vertical_m: number;
      runs: number;
      lifts?: number;
      ascent_m?: number;
      moving_s?: number;
      max_speed_kmh?: number;
    };
    NewTrackingTarget: {
      /** @enum {string} */
      metric: "vertical" | "distance" | "runs" | "days";
      /** @enum {string} */
      period: "week" | "season";
      /** @description Metres; a number of runs or days. */
      value: number;
    };
    NewTransfer: {
      name: string;
      city: string;
      description?: string;
      origin: {
        name: string;
        location: {
          latitude: number;
          longitude: number;
        };
      };
      destination: {
        name: string;
        location: {
          latitude: number;
          longitude: number;
        };
      };
      /** @description Each has either `url` or `file_id`. At most one is the main one. */
      images?: {
          /**
           * Format: uri
           * @description Of a picture that is elsewhere, or as a reply has it.
           */
          url?: string;
          /**
           * Format: uuid
           * @description Of a picture that was uploaded to the folder `listings`.
           */
          file_id?: string;
          is_main: boolean;
        }[];
      length_km: number;
      duration_minutes: number;
      turnaround_minutes?: number;
      service_hours: ({
          weekdays: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
          from: string;
          to: string;
        })[];
      closed_dates?: string[];
      vehicles: ({
          /**
           * Format: uuid
           * @description Of an existing one; a new one gets its id from the server.
           */
          id?: string;
          name: string;
          /** @enum {string} */
          class: "economy" | "comfort" | "business" | "minivan" | "minibus" | "bus" | "offroad";
          seats: number;
          luggage: number;
          units: number;
          price: number;
        })[];
      /** @enum {string} */
      cancellation_policy?: "flexible" | "moderate" | "strict" | "non_refundable";
      /**
       * @description `instant`: a paid booking is certain. `on_request`: the seller confirms or rejects it, until `answer_by` of the booking.
       * @enum {string}
       */
      confirmation?: "instant" | "on_request";
      /** @description IANA name. All times of the listing are in this zone. */
      timezone: string;
      currency: string;
      /**
       * Format: uuid
       * @description Admins only. Default: the caller.
       */
      owner_id?: string;
      /**
       * @description A `closed` listing is not listed and cannot be booked.
       * @enum {string}
       */
      status?: "closed" | "published";
    };
    NewTransferBooking: {
      /** @constant */
      type: "transfer";
      /** Format: uuid */
      item_id: string;
      /** Format: date-time */
      slot_start: string;
      guests: number;
      notes?: string | null;
      /** @description For the seller. The name of the profile by default; null: not told. */
      guest_name?: string | null;
      /** @description For the seller, with the country code. The number of the profile by default; null: not told. */
      guest_phone?: string | null;
      /** @description When the guest expects to come: `HH:MM` in the local time of the place. */
      arrival_time?: string | null;
      /** @description A promo code, in any letter case. */
      promo?: string;
      /** @description The total that the customer was shown. If it has changed, the answer is 409 `price_changed` with the new quote. */
      expected_total?: number;
      /** Format: uuid */
      vehicle_id?: string;
      /** @enum {string} */
      vehicle_class?: "economy" | "comfort" | "business" | "minivan" | "minibus" | "bus" | "offroad";
    };
    NewTrip: {
      items: components["schemas"]["NewBooking"][];
      notes?: string | null;
      /** @description The total that the customer was shown. If it has changed, the answer is 409 `price_changed` with the new quote. */
      expected_total?: number;
    };
    NewWebcam: {
      name: string;
      /** Format: uri */
      snapshot_url: string;
      description?: string;
      longitude?: number | null;
      latitude?: number | null;
    };
    NewsItem: {
      /** Format: uuid */
      id: string;
      images: {
          /** Format: uri */
          url: string;
          is_main: boolean;
        }[];
      link: string | null;
      expires_at: string | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
      /** @description The language that the texts are in. */
      lang: string;
      title: string;
      summary: string;
      body: string;
      /** Format: date-time */
      published_at: string;
    };
    Night: {
      /** Format: date */
      date: string;
      price: number | null;
      price_minor: number | null;
      stop_sell: boolean;
      min_stay: number | null;
      max_stay: number | null;
      closed_to_arrival: boolean;
      closed_to_departure: boolean;
    };
    NightRange: {
      /** Format: date */
      from: string;
      /** Format: date */
      to: string;
      weekdays?: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
      stop_sell?: boolean;
      min_stay?: number | null;
      max_stay?: number | null;
      closed_to_arrival?: boolean;
      closed_to_departure?: boolean;
      price?: number | null;
    };
    Notification: {
      /** Format: uuid */
      id: string;
      /** @description Later ones have a higher number. Gaps mean nothing. */
      seq: number;
      /** @enum {string} */
      kind: "booking" | "queue" | "friend" | "chat" | "review" | "badge" | "favorite" | "statement" | "marketing" | "system";
      /** @description What it is about: `booking_paid`. */
      type: string;
      title: string;
      body: string;
      /** @description The path in the app. */
      link: string;
      /** @enum {string} */
      urgency: "normal" | "high" | "critical";
      /** @description How many it stands for, such as messages of a chat. */
      count: number;
      /** Format: date-time */
      created_at: string;
      read_at: string | null;
    };
    NotificationInbox: {
      unread: number;
      /** @description The highest number that was given so far. */
      last_seq: number;
      /** @description All up to this number were marked as read at once. */
      read_up_to: number;
    };
    NotificationPreferences: {
      /** @description Bookings and payments. */
      booking: boolean;
      /** @description Queues at lifts. */
      queue: boolean;
      /** @description Friends: invitations, arrivals. */
      friend: boolean;
      /** @description Messages, mentions, calls. */
      chat: boolean;
      /** @description Reviews and answers to them. */
      review: boolean;
      /** @description Badges. */
      badge: boolean;
      /** @description Prices and free dates of favourites. */
      favorite: boolean;
      /** @description The monthly statement of sellers, also by e-mail. */
      statement: boolean;
      /** @description Offers and news, also by e-mail and in the list. They also need the consent to marketing. */
      marketing: boolean;
      quiet_hours: {
        from: string;
        to: string;
        /** @description IANA name. */
        timezone: string;
      } | null;
      language: ("ru" | "en") | null;
      /** @description Whether marketing is consented to (`POST /me/consent`); without it nothing of it is sent. */
      marketing_consent: boolean;
      email_stopped: ({
        /** @enum {string} */
        cause: "refused" | "bounced" | "complained" | "unsupported" | "full" | "blocked";
        /** Format: date-time */
        at: string;
      }) | null;
    };
    NotificationPreferencesUpdate: {
      /** @description Bookings and payments. */
      booking?: boolean;
      /** @description Queues at lifts. */
      queue?: boolean;
      /** @description Friends: invitations, arrivals. */
      friend?: boolean;
      /** @description Messages, mentions, calls. */
      chat?: boolean;
      /** @description Reviews and answers to them. */
      review?: boolean;
      /** @description Badges. */
      badge?: boolean;
      /** @description Prices and free dates of favourites. */
      favorite?: boolean;
      /** @description The monthly statement of sellers, also by e-mail. */
      statement?: boolean;
      /** @description Offers and news, also by e-mail and in the list. They also need the consent to marketing. */
      marketing?: boolean;
      quiet_hours?: {
        from: string;
        to: string;
        /** @description IANA name. */
        timezone: string;
      } | null;
      language?: ("ru" | "en") | null;
    };
    OfflineSkiPassScan: {
      /**
       * Format: uuid
       * @description Chosen by the gate. The same scan again has the same id.
       */
      scan_id: string;
      /** @description What the gate has read, unchanged. */
      code: string;
      /**
       * Format: uuid
       * @description Of the lift at which the gate stands, whose queue is counted from its passages. It is not checked.
       */
      lift_id?: string;
      /** @description Of the gate. Without it, passes of all areas open it. */
      area?: number;
      /**
       * Format: date-time
       * @description By the clock of the gate.
       */
      scanned_at: string;
      /** @description Whether somebody passed. */
      passed: boolean;
      /**
       * @description Why not.
       * @enum {string}
       */
      reason?: "replaced" | "refunded" | "blocked" | "not_yet_valid" | "expired" | "wrong_area" | "spent" | "passback" | "clock";
    };
    OfflineSkiPassScans: {
      gate_id: string;
      /**
       * Format: date-time
       * @description What the clock of the gate shows now. Times are corrected by the difference.
       */
      device_time: string;
      scans: components["schemas"]["OfflineSkiPassScan"][];
    };
    OwnBadge: {
      /** Format: uuid */
      id: string;
      name: {
        ru: string;
        en: string;
      };
      description: {
        ru: string;
        en: string;
      };
      /** @enum {string} */
      metric: "sessions" | "vertical" | "distance" | "runs" | "days" | "passes" | "bookings" | "reviews" | "friends";
      /** @description Metres, or a number. */
      threshold: number;
      /**
       * @description All of it must happen in one day, ISO week, month or season; or ever.
       * @enum {string}
       */
      window: "day" | "week" | "month" | "season" | "ever";
      season: number | null;
      /** @description What counts now: in the current day, week, month or season, or ever; 0 outside of the season of the badge. In the unit of `threshold`. */
      value: number;
      /** @description Rounded down; 100 once it is awarded, at most 99 before. */
      progress_pct: number;
      awarded_at: string | null;
    };
    OwnCompany: {
      /** Format: uuid */
      id: string;
      name: string;
      city: string;
      address: string;
      description: string;
      sells: ("hotel" | "tour" | "restaurant" | "transfer" | "instructor")[];
      website: string | null;
      images: {
          /** Format: uri */
          url: string;
          is_main: boolean;
        }[];
      location: {
        latitude: number;
        longitude: number;
      };
      /** @description IANA name. All times of the listing are in this zone. */
      timezone: string;
      currency: string;
      /** Format: uuid */
      owner_id: string;
      /**
       * @description A `closed` listing is not listed and cannot be booked.
       * @enum {string}
       */
      status: "closed" | "published";
      min_price: number | null;
      /** @description The lowest price; null without a price. */
      min_price_minor: number | null;
      distance_km: number | null;
      rating: number | null;
      reviews_count: number;
    };
    OwnHotel: {
      /** Format: uuid */
      id: string;
      name: string;
      city: string;
      address: string;
      stars: number;
      description: string;
      amenities: string[];
      images: {
          /** Format: uri */
          url: string;
          is_main: boolean;
        }[];
      location: {
        latitude: number;
        longitude: number;
      };
      /** @enum {string} */
      cancellation_policy: "flexible" | "moderate" | "strict" | "non_refundable";
      /**
       * @description `instant`: a paid booking is certain. `on_request`: the seller confirms or rejects it, until `answer_by` of the booking.
       * @enum {string}
       */
      confirmation: "instant" | "on_request";
      charges: (({
          /** @enum {string} */
          kind: "tax" | "fee";
          name: string;
          bps: number;
        }) | ({
          /** @enum {string} */
          kind: "tax" | "fee";
          name: string;
          per_night: number;
          per_night_minor: number;
        }))[];
      /** @description IANA name. All times of the listing are in this zone. */
      timezone: string;
      currency: string;
      /** Format: uuid */
      owner_id: string;
      /**
       * @description A `closed` listing is not listed and cannot be booked.
       * @enum {string}
       */
      status: "closed" | "published";
      min_price: number | null;
      min_price_minor: number | null;
      rating: number | null;
      reviews_count: number;
    };
    OwnInstructor: {
      /** Format: uuid */
      id: string;
      name: string;
      city: string;
      description: string;
      disciplines: ("ski" | "snowboard" | "freeride" | "cross_country" | "telemark")[];
      levels: ("beginner" | "intermediate" | "advanced" | "expert" | "kids")[];
      languages: string[];
      images: {
          /** Format: uri */
          url: string;
          is_main: boolean;
        }[];
      location: {
        latitude: number;
        longitude: number;
      };
      price_per_hour: number;
      price_per_hour_minor: number;
      max_group: number;
      working_hours: ({
          weekdays: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
          from: string;
          to: string;
        })[];
      closed_dates: string[];
      /** @enum {string} */
      cancellation_policy: "flexible" | "moderate" | "strict" | "non_refundable";
      /**
       * @description `instant`: a paid booking is certain. `on_request`: the seller confirms or rejects it, until `answer_by` of the booking.
       * @enum {string}
       */
      confirmation: "instant" | "on_request";
      /** @description Whether a guest may book this although they have another booking of the same kind at the same time, for others. Otherwise that is refused (409 `overlapping_booking`). */
      allow_overlapping: boolean;
      /** @description IANA name. All times of the listing are in this zone. */
      timezone: string;
      currency: string;
      /** Format: uuid */
      owner_id: string;
      /**
       * @description A `closed` listing is not listed and cannot be booked.
       * @enum {string}
       */
      status: "closed" | "published";
      min_price: number | null;
      /** @description The lowest price; null without a price. */
      min_price_minor: number | null;
      distance_km: number | null;
      rating: number | null;
      reviews_count: number;
    };
    OwnMetrics: {
      visits: number | null;
      /** @description Bookings that were paid. */
      bookings: number;
      /** @description Those of them that were cancelled or rejected. */
      cancelled: number;
      /** @description Paid, less what came back, by currency. */
      spent: components["schemas"]["Spending"][];
      /** @description Days with tracked or reported runs. */
      ski_days: number;
      /** @description Badges that the caller has. */
      badges: number;
    };
    OwnRestaurant: {
      /** Format: uuid */
      id: string;
      name: string;
      city: string;
      address: string;
      description: string;
      cuisines: string[];
      images: {
          /** Format: uri */
          url: string;
          is_main: boolean;
        }[];
      location: {
        latitude: number;
        longitude: number;
      };
      average_bill: number;
      average_bill_minor: number;
      opening_hours: ({
          weekdays: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
          from: string;
          to: string;
        })[];
      closed_dates: string[];
      sitting_minutes: number;
      deposit_per_guest: number;
      deposit_per_guest_minor: number;
      tables: {
          /** Format: uuid */
          id: string;
          name: string;
          seats: number;
          units: number;
        }[];
      /** @enum {string} */
      cancellation_policy: "flexible" | "moderate" | "strict" | "non_refundable";
      /**
       * @description `instant`: a paid booking is certain. `on_request`: the seller confirms or rejects it, until `answer_by` of the booking.
       * @enum {string}
       */
      confirmation: "instant" | "on_request";
      /** @description Whether a guest may book this although they have another booking of the same kind at the same time, for others. Otherwise that is refused (409 `overlapping_booking`). */
      allow_overlapping: boolean;
      /** @description IANA name. All times of the listing are in this zone. */
      timezone: string;
      currency: string;
      /** Format: uuid */
      owner_id: string;
      /**
       * @description A `closed` listing is not listed and cannot be booked.
       * @enum {string}
       */
      status: "closed" | "published";
      min_price: number | null;
      /** @description The lowest price; null without a price. */
      min_price_minor: number | null;
      distance_km: number | null;
      rating: number | null;
      reviews_count: number;
    };
    OwnStory: {
      /** Format: uuid */
      id: string;
      text: string;
      media: components["schemas"]["Attachment"];
      /**
       * @description `removed`: by an admin.
       * @enum {string}
       */
      status: "shown" | "removed";
      /** @description Why an admin has removed it. */
      reason: string | null;
      /** Format: date-time */
      published_at: string;
      /** Format: date-time */
      expires_at: string;
      views: number;
      likes: number;
    };
    OwnTour: {
      /** Format: uuid */
      id: string;
      name: string;
      city: string;
      description: string;
      /** @enum {string} */
      activity: "ski" | "freeride" | "snowmobile" | "snowshoe" | "hike" | "sightseeing" | "other";
      /** @enum {string} */
      difficulty: "easy" | "moderate" | "hard" | "expert";
      languages: string[];
      images: {
          /** Format: uri */
          url: string;
          is_main: boolean;
        }[];
      meeting_point: string;
      location: {
        latitude: number;
        longitude: number;
      };
      duration_minutes: number;
      seats: number;
      price_per_person: number;
      price_per_person_minor: number;
      schedule: ({
          /** Format: date */
          from: string;
          /** Format: date */
          to: string;
          weekdays: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
          time: string;
        })[];
      closed_dates: string[];
      /** @enum {string} */
      cancellation_policy: "flexible" | "moderate" | "strict" | "non_refundable";
      /**
       * @description `instant`: a paid booking is certain. `on_request`: the seller confirms or rejects it, until `answer_by` of the booking.
       * @enum {string}
       */
      confirmation: "instant" | "on_request";
      /** @description Whether a guest may book this although they have another booking of the same kind at the same time, for others. Otherwise that is refused (409 `overlapping_booking`). */
      allow_overlapping: boolean;
      /** @description IANA name. All times of the listing are in this zone. */
      timezone: string;
      currency: string;
      /** Format: uuid */
      owner_id: string;
      /**
       * @description A `closed` listing is not listed and cannot be booked.
       * @enum {string}
       */
      status: "closed" | "published";
      min_price: number | null;
      /** @description The lowest price; null without a price. */
      min_price_minor: number | null;
      distance_km: number | null;
      rating: number | null;
      reviews_count: number;
    };
    OwnTransfer: {
      /** Format: uuid */
      id: string;
      name: string;
      city: string;
      description: string;
      origin: {
        name: string;
        location: {
          latitude: number;
          longitude: number;
        };
      };
      destination: {
        name: string;
        location: {
          latitude: number;
          longitude: number;
        };
      };
      images: {
          /** Format: uri */
          url: string;
          is_main: boolean;
        }[];
      length_km: number;
      duration_minutes: number;
      turnaround_minutes: number;
      service_hours: ({
          weekdays: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
          from: string;
          to: string;
        })[];
      closed_dates: string[];
      vehicles: ({
          /** Format: uuid */
          id: string;
          name: string;
          /** @enum {string} */
          class: "economy" | "comfort" | "business" | "minivan" | "minibus" | "bus" | "offroad";
          seats: number;
          luggage: number;
          units: number;
          price: number;
          price_minor: number;
        })[];
      /** @enum {string} */
      cancellation_policy: "flexible" | "moderate" | "strict" | "non_refundable";
      /**
       * @description `instant`: a paid booking is certain. `on_request`: the seller confirms or rejects it, until `answer_by` of the booking.
       * @enum {string}
       */
      confirmation: "instant" | "on_request";
      /** @description IANA name. All times of the listing are in this zone. */
      timezone: string;
      currency: string;
      /** Format: uuid */
      owner_id: string;
      /**
       * @description A `closed` listing is not listed and cannot be booked.
       * @enum {string}
       */
      status: "closed" | "published";
      min_price: number | null;
      /** @description The lowest price; null without a price. */
      min_price_minor: number | null;
      distance_km: number | null;
      rating: number | null;
      reviews_count: number;
    };
    OwnerBalance: {
      currency: string;
      /** @description Earned, but not available yet: released when the dispute window after the service has passed. */
      held: number;
      held_minor: number;
      /** @description Ready for payout. A negative amount is owed to the platform. */
      available: number;
      available_minor: number;
      /** @description The part of `available` that refunds under way will take. It cannot be paid out. */
      in_refund: number;
      in_refund_minor: number;
      /** @description Reserved for payouts that are not yet paid. */
      in_payout: number;
      in_payout_minor: number;
      paid_out: number;
      paid_out_minor: number;
    };
    OwnerCommissionRate: {
      /** Format: uuid */
      owner_id: string;
      /** @enum {string} */
      rule: "owner" | "type_role" | "role" | "global" | "default";
      rate_bps: number;
      /** @description At most two decimals. */
      rate_percent: number;
    };
    OwnerPaymentSettings: {
      /** Format: uuid */
      owner_id: string;
      provider: ("yookassa" | "tbank") | null;
      nominal_account_bik: string | null;
      nominal_account_number: string | null;
      nominal_account_holder: string | null;
      tax: ({
        inn: string;
        name: string;
        phone: string;
        /** @enum {string} */
        vat: "none" | "vat0" | "vat5" | "vat7" | "vat10" | "vat20" | "vat22";
      }) | null;
    };
    OwnerPaymentSettingsUpdate: {
      provider?: ("yookassa" | "tbank") | null;
      nominal_account_bik?: string | null;
      nominal_account_number?: string | null;
      nominal_account_holder?: string | null;
      tax?: ({
        inn: string;
        name: string;
        phone: string;
        /** @enum {string} */
        vat: "none" | "vat0" | "vat5" | "vat7" | "vat10" | "vat20" | "vat22";
      }) | null;
    };
    ParkedEvent: {
      model: string;
      stream: string;
      /** @description Revision of the failed event. Later events of the stream wait. */
      revision: number;
      /** Format: uuid */
      event_id: string;
      type: string;
      reason: string;
      /** Format: date-time */
      parked_at: string;
    };
    Payment: {
      /** Format: uuid */
      id: string;
      booking_id: string | null;
      /** Format: uuid */
      user_id: string;
      service_type: string | null;
      trip_id: string | null;
      /** @enum {string} */
      method: "card" | "sbp" | "wallet";
      payment_method_id: string | null;
      provider: string;
      amount_minor: number;
      currency: string;
      /** @enum {string} */
      status: "pending" | "requires_action" | "processing" | "authorized" | "failed" | "cancelled" | "expired" | "succeeded";
      txn_id: string | null;
      redirect_url: string | null;
      failure_code: string | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
      /**
       * @description The rule that chose the payment provider. Only for: seller, admin.
       * @enum {string}
       */
      provider_reason?: "owner" | "global" | "default" | "method";
      items: ({
          kind: string;
          /** Format: uuid */
          id: string;
          owner_id: string | null;
          amount_minor: number;
          amount: number;
          /** @description The part of the amount that the platform keeps. Only for: seller, admin. */
          commission?: number;
          /** @description The same in minor units. Only for: seller, admin. */
          commission_minor?: number;
          /** @description What the platform adds for the seller: a discount that it bears. Only for: seller, admin. */
          promotion?: number;
          /** @description The same in minor units. Only for: seller, admin. */
          promotion_minor?: number;
        })[];
      refunds: ({
          /** Format: uuid */
          id: string;
          /** Format: uuid */
          item_id: string;
          amount_minor: number;
          /** @enum {string} */
          status: "pending" | "succeeded" | "failed" | "manual_review";
          /** @enum {string} */
          cause: "cancelled" | "rejected" | "late_payment" | "double_payment" | "requested" | "changed";
          made_at_provider: boolean;
          code: string | null;
          /** Format: date-time */
          created_at: string;
          amount: number;
        })[];
      /** @description Second charges of the provider for this payment. They are returned in full. */
      duplicate_charges: ({
          txn_id: string;
          amount_minor: number;
          /** @enum {string} */
          status: "pending" | "returned" | "manual_review";
          code: string | null;
          /** Format: date-time */
          created_at: string;
          amount: number;
        })[];
      /** @description How the record of the payment provider differs; null: it agrees. Only for: admin. */
      mismatch?: ({
        /** @enum {string} */
        kind: "status" | "amount" | "currency" | "refunds" | "unknown";
        ours: string;
        theirs: string;
      }) | null;
      /** @description When that was found. Only for: admin. */
      mismatched_at?: string | null;
      amount: number;
      refunded: number;
      refunded_minor: number;
    };
    PaymentDifference: {
      /** Format: uuid */
      reconciliation_id: string;
      /** Format: uuid */
      payment_id: string;
      provider: string;
      /** @enum {string} */
      kind: "status" | "amount" | "currency" | "refunds" | "unknown";
      ours: string;
      theirs: string;
      /** Format: date-time */
      found_at: string;
    };
    PaymentMethod: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      user_id: string;
      /** @enum {string} */
      method: "card" | "sbp" | "wallet";
      provider: string | null;
      brand: string | null;
      last4: string | null;
      exp: string | null;
      default: boolean;
      /** @enum {string} */
      status: "requires_action" | "active" | "failed";
      failure_code: string | null;
      /** Format: uuid */
      token: string;
    };
    PaymentMismatch: {
      /** Format: uuid */
      payment_id: string;
      /** Format: uuid */
      user_id: string;
      provider: string;
      txn_id: string | null;
      currency: string;
      /** @enum {string} */
      kind: "status" | "amount" | "currency" | "refunds" | "unknown";
      ours: string;
      theirs: string;
      /** Format: date-time */
      found_at: string;
    };
    PaymentSettings: {
      /** @description The provider for sellers who have not chosen one. */
      payment_provider_default: string;
      /** @description The same as `payment_provider_default`. */
      provider: string;
      providers: ({
          /** @enum {string} */
          name: "yookassa" | "tbank";
          set_up: boolean;
          /** @description Whether it can keep the shares of sellers in escrow. */
          escrow: boolean;
        })[];
    };
    Payout: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      owner_id: string;
      currency: string;
      amount_minor: number;
      /** @enum {string} */
      status: "requested" | "paid" | "failed";
      reference: string | null;
      reason: string | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
      amount: number;
    };
    PayoutSettingsChange: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      owner_id: string;
      /** @enum {string} */
      changed: "provider" | "bank_account" | "bank_account_removed";
      /** Format: date-time */
      changed_at: string;
      changed_by: {
        kind: string;
        id: string;
        role: string;
      };
    };
    PlanConfig: {
      /** @description Rises with every change. */
      revision: number;
      weights: {
        /** @description Points for each 100 m of descent. */
        vertical: number;
        /** @description Points for each kilometre of slopes. */
        distance: number;
        /** @description Points for a slope of just the level of the person. */
        level: number;
        /** @description Points for a slope that was groomed within a day. */
        groomed: number;
        /** @description Points for a lunch at a table that can be booked. */
        table: number;
        /** @description Points that 10 minutes on skis earn, on whatever slope, so that the day is filled; and that 10 minutes of waiting longer than usual cost. */
        waiting: number;
      };
      /** @description What a slope is worth again, as a part of what it was worth the time before on that day. */
      repeat_factor: number;
      /** @description By how much a wish raises the weight it is about. */
      wish_factor: number;
      /** @description So long before the last lift closes everybody is back. */
      back_margin_minutes: number;
      /** @description The usual wait: at a lift of which nothing is known. */
      default_wait_minutes: number;
      /** @description It begins between `from` and `until`, in the time of the resort. */
      lunch: {
        from: string;
        until: string;
        /** @description How long it takes. */
        minutes: number;
      };
      /** @description How fast people come down, with their stops, by the difficulty of the slope. */
      speeds_kmh: {
        novice: number;
        easy: number;
        intermediate: number;
        advanced: number;
        expert: number;
        freeride: number;
      };
    };
    PlanConfigPatch: {
      weights?: ({
        vertical?: number | null;
        distance?: number | null;
        level?: number | null;
        groomed?: number | null;
        table?: number | null;
        waiting?: number | null;
      }) | null;
      repeat_factor?: number | null;
      wish_factor?: number | null;
      back_margin_minutes?: number | null;
      default_wait_minutes?: number | null;
      lunch?: ({
        from?: string | null;
        until?: string | null;
        minutes?: number | null;
      }) | null;
      speeds_kmh?: ({
        novice?: number | null;
        easy?: number | null;
        intermediate?: number | null;
        advanced?: number | null;
        expert?: number | null;
        freeride?: number | null;
      }) | null;
      reason?: string;
    };
    PlanConfigRevision: {
      revision: number;
      config: {
        weights: {
          /** @description Points for each 100 m of descent. */
          vertical: number;
          /** @description Points for each kilometre of slopes. */
          distance: number;
          /** @description Points for a slope of just the level of the person. */
          level: number;
          /** @description Points for a slope that was groomed within a day. */
          groomed: number;
          /** @description Points for a lunch at a table that can be booked. */
          table: number;
          /** @description Points that 10 minutes on skis earn, on whatever slope, so that the day is filled; and that 10 minutes of waiting longer than usual cost. */
          waiting: number;
        };
        /** @description What a slope is worth again, as a part of what it was worth the time before on that day. */
        repeat_factor: number;
        /** @description By how much a wish raises the weight it is about. */
        wish_factor: number;
        /** @description So long before the last lift closes everybody is back. */
        back_margin_minutes: number;
        /** @description The usual wait: at a lift of which nothing is known. */
        default_wait_minutes: number;
        /** @description It begins between `from` and `until`, in the time of the resort. */
        lunch: {
          from: string;
          until: string;
          /** @description How long it takes. */
          minutes: number;
        };
        /** @description How fast people come down, with their stops, by the difficulty of the slope. */
        speeds_kmh: {
          novice: number;
          easy: number;
          intermediate: number;
          advanced: number;
          expert: number;
          freeride: number;
        };
      };
      reason: string | null;
      /** Format: date-time */
      changed_at: string;
      /** @description Id of the account that changed it. */
      changed_by: string;
    };
    PlanOfTheDay: {
      timezone: string;
      config_revision: number;
      from: ({
        /** @enum {string} */
        type: "lift" | "slope";
        /** Format: uuid */
        id: string;
        name: string;
      }) | null;
      to: ({
        /** @enum {string} */
        type: "lift" | "slope";
        /** Format: uuid */
        id: string;
        name: string;
      }) | null;
      back_by: string | null;
      /** @description Why the plan is not all that was asked for. */
      notes: ({
          /** @enum {string} */
          code: "nothing_open" | "no_slopes" | "no_way_back" | "no_time_for_lunch" | "no_free_table" | "few_slopes" | "ends_early";
          detail: string;
        })[];
      plan: components["schemas"]["DayPlan"] | null;
      /** @description Other plans, which use other slopes where they can. */
      alternatives: components["schemas"]["DayPlan"][];
    };
    PlanSample: {
      /** Format: date */
      date: string;
      /** @enum {string} */
      level: "novice" | "easy" | "intermediate" | "advanced" | "expert" | "freeride";
      /** @description Whether the lifts, slopes or times are others. */
      has_changed: boolean;
      before: {
        /** @description What it is worth by the weights. It compares plans of one reply. */
        points: number;
        /** Format: date-time */
        starts_at: string;
        /** Format: date-time */
        ends_at: string;
        /** @description Vertical metres on slopes. */
        descent_m: number;
        /** @description Metres on slopes. */
        distance_m: number;
        runs: number;
        lift_rides: number;
        waiting_minutes: number;
        /** @description Their names, in order. */
        slopes: string[];
      } | null;
      after: {
        /** @description What it is worth by the weights. It compares plans of one reply. */
        points: number;
        /** Format: date-time */
        starts_at: string;
        /** Format: date-time */
        ends_at: string;
        /** @description Vertical metres on slopes. */
        descent_m: number;
        /** @description Metres on slopes. */
        distance_m: number;
        runs: number;
        lift_rides: number;
        waiting_minutes: number;
        /** @description Their names, in order. */
        slopes: string[];
      } | null;
    };
    PlannedLift: {
      /** @constant */
      type: "lift";
      /** Format: date-time */
      starts_at: string;
      /** Format: date-time */
      ends_at: string;
      /** @description Why it is part of the plan. */
      why: ("leads_on" | "way_back" | "short_wait" | "first_time" | "worth_it_again" | "your_level" | "groomed" | "wished" | "table_free" | "no_table_free" | "opens_later" | "table_later")[];
      /** Format: uuid */
      lift_id: string;
      name: string;
      /** @enum {string} */
      kind: "cable_car" | "gondola" | "funicular" | "chair_lift" | "mixed_lift" | "drag_lift" | "t_bar" | "j_bar" | "platter" | "rope_tow" | "magic_carpet" | "railway";
      /** @enum {string} */
      direction: "up" | "down";
      wait_minutes: number;
      /**
       * @description `reported` now, `typical` for the weekday and time, or `assumed` because nothing is known.
       * @enum {string}
       */
      wait_source: "reported" | "typical" | "assumed";
      vertical_m: number;
    };
    PlannedLunch: {
      /** @constant */
      type: "lunch";
      /** Format: date-time */
      starts_at: string;
      /** Format: date-time */
      ends_at: string;
      /** @description Why it is part of the plan. */
      why: ("leads_on" | "way_back" | "short_wait" | "first_time" | "worth_it_again" | "your_level" | "groomed" | "wished" | "table_free" | "no_table_free" | "opens_later" | "table_later")[];
      table: components["schemas"]["PlannedTable"] | null;
    };
    PlannedRun: {
      /** @constant */
      type: "slope";
      /** Format: date-time */
      starts_at: string;
      /** Format: date-time */
      ends_at: string;
      /** @description Why it is part of the plan. */
      why: ("leads_on" | "way_back" | "short_wait" | "first_time" | "worth_it_again" | "your_level" | "groomed" | "wished" | "table_free" | "no_table_free" | "opens_later" | "table_later")[];
      /** Format: uuid */
      slope_id: string;
      name: string;
      /** @enum {string} */
      difficulty: "novice" | "easy" | "intermediate" | "advanced" | "expert" | "freeride";
      distance_m: number;
      vertical_m: number;
    };
    PlannedTable: {
      /** Format: uuid */
      restaurant_id: string;
      name: string;
      /** Format: date-time */
      slot_start: string;
      /** Format: date-time */
      slot_end: string;
      /** @description The deposit for the party. */
      total: number;
      total_minor: number;
      currency: string;
      /** @description The request that books it. Nothing is held until then. */
      booking: {
        /** @constant */
        method: "POST";
        path: string;
        body: {
          /** Format: date-time */
          slot_start: string;
          guests: number;
          expected_total: number;
        };
      };
    };
    PlannedWait: {
      /** @constant */
      type: "wait";
      /** Format: date-time */
      starts_at: string;
      /** Format: date-time */
      ends_at: string;
      /** @description Why it is part of the plan. */
      why: ("leads_on" | "way_back" | "short_wait" | "first_time" | "worth_it_again" | "your_level" | "groomed" | "wished" | "table_free" | "no_table_free" | "opens_later" | "table_later")[];
    };
    PlatformConfigPatch: {
      rescue_phone?: string | null;
      latest_version?: string | null;
      force_update_below?: string | null;
      platforms?: ({
        ios?: ({
          latest_version?: string | null;
          force_update_below?: string | null;
          store_url?: string | null;
        }) | null;
        android?: ({
          latest_version?: string | null;
          force_update_below?: string | null;
          store_url?: string | null;
        }) | null;
        web?: ({
          latest_version?: string | null;
          force_update_below?: string | null;
          store_url?: string | null;
        }) | null;
      }) | null;
      urls?: ({
        [key: string]: string | null;
      }) | null;
      languages?: string[] | null;
      timezone?: string | null;
      currency?: string | null;
      modules?: ({
        [key: string]: boolean | null;
      }) | null;
      reason?: string;
    };
    PlatformConfigRevision: {
      revision: number;
      config: {
        rescue_phone: string;
        /** @description A semantic version. */
        latest_version: string;
        /** @description An app older than this must be updated before it is used. */
        force_update_below: string;
        /** @description What a platform has of its own. A version that it lacks is the one beside. */
        platforms: {
          ios?: {
            /** @description A semantic version. */
            latest_version?: string;
            /** @description An app older than this must be updated before it is used. */
            force_update_below?: string;
            /** Format: uri */
            store_url?: string;
          };
          android?: {
            /** @description A semantic version. */
            latest_version?: string;
            /** @description An app older than this must be updated before it is used. */
            force_update_below?: string;
            /** Format: uri */
            store_url?: string;
          };
          web?: {
            /** @description A semantic version. */
            latest_version?: string;
            /** @description An app older than this must be updated before it is used. */
            force_update_below?: string;
            /** Format: uri */
            store_url?: string;
          };
        };
        urls: {
          [key: string]: string;
        };
        /** @description Russian and English, also of a country (`en-GB`). The first one is the default. */
        languages: string[];
        /** @description IANA time zone of the resort. */
        timezone: string;
        currency: string;
        /** @description false closes a module for everybody but admins. */
        modules: {
          [key: string]: boolean;
        };
      };
      reverts_to: number | null;
      reason: string | null;
      /** Format: date-time */
      changed_at: string;
      /** @description Id of the account that changed it; `setting:RESORT_TIMEZONE` for the time zone of that setting. */
      changed_by: string;
    };
    PostUpdate: {
      texts?: {
        ru?: {
          title: string;
          summary?: string;
          body?: string;
        } | null;
        en?: {
          title: string;
          summary?: string;
          body?: string;
        } | null;
      };
      /** @description Each has either `url` or `file_id`. At most one is the main one. */
      images?: {
          /**
           * Format: uri
           * @description Of a picture that is elsewhere, or as a reply has it.
           */
          url?: string;
          /**
           * Format: uuid
           * @description Of a picture that was uploaded to the folder `listings`.
           */
          file_id?: string;
          is_main: boolean;
        }[];
      link?: string | null;
      happening?: ({
        place: string;
        location: {
          latitude: number;
          longitude: number;
        } | null;
        /** Format: date-time */
        starts_at: string;
        /** Format: date-time */
        ends_at: string;
        timezone: string;
      }) | null;
      publish_at?: string | null;
      expires_at?: string | null;
      promo_code?: string | null;
    };
    Problem: {
      type: string;
      title: string;
      status: number;
      /** @description Stable identifier of the error. */
      code: string;
      /** @description What is wrong with this request, and what to do about it. */
      detail: string;
      /** Format: uuid */
      request_id: string;
      /** @description The invalid fields, for `validation_failed`. */
      errors?: components["schemas"]["FieldError"][];
    };
    Projection: {
      name: string;
      /** @description The group of read models whose batches go into its table: a consumer of the log. */
      group: string;
      version: number;
      /** @description 0 while an outdated read model waits for its rebuild. */
      live_version: number;
      epoch: number;
      rebuilt_at: string | null;
      parked: number;
      runs: components["schemas"]["ProjectionRun"][];
    };
    ProjectionLag: {
      position: string | null;
      head: string | null;
      /** @description Events that it has not projected, counted up to 1,000. */
      events: number;
      /** @description Age of the oldest event that it has not projected, in seconds. */
      seconds: number;
      projector: string | null;
      /** @description Every consumer of the log: each group of read models and each policy. */
      consumers: ({
          name: string;
          position: string | null;
          /** @description Events that it has not handled, counted up to 1,000. */
          events: number;
          /** @description Age of the oldest event that it has not handled. */
          seconds: number;
          holder: string | null;
        })[];
    };
    ProjectionRun: {
      /** @enum {string} */
      mode: "rebuild" | "verify";
      /** @enum {string} */
      status: "running" | "cancelling" | "cancelled" | "failed" | "done" | "interrupted";
      events: number;
      progress: number;
      /** Format: date-time */
      started_at: string;
      /** Format: date-time */
      updated_at: string;
      detail: string | null;
    };
    PromoCode: {
      /** Format: uuid */
      id: string;
      code: string;
      currency: string;
      /** @description Percent of the price, with at most two decimals. Send either this or `discount`. */
      discount_percent: number | null;
      /** @description An amount off the price. */
      discount: number | null;
      /** @description The most that a percentage takes off; null: any amount. */
      most_discount: number | null;
      /**
       * @description Who gives up the money. With `seller`, send `seller_id`.
       * @enum {string}
       */
      borne_by: "platform" | "seller";
      /** @description Only for what this seller sells; null: any seller. */
      seller_id: string | null;
      /** @description Types of bookings and services; empty: all. */
      types: ("hotel" | "tour" | "restaurant" | "transfer" | "instructor" | "ski_pass" | "insurance")[];
      /** @description Only for these hotels, tours, ski pass tariffs, insurance products, and so on; empty: all. */
      listing_ids: string[];
      usable_from: string | null;
      usable_until: string | null;
      /** @description The first date on which it may start: a booking, or the validity of passes and insurance. */
      starts_from: string | null;
      /** @description The last such date. */
      starts_to: string | null;
      /** @description The least price before the discount. */
      least_total: number;
      /** @description By all guests together. */
      uses: number;
      uses_per_person: number;
      /** @description Only for guests who have not paid for a booking before; never for ski passes and insurance. */
      first_booking_only: boolean;
      discount_minor: number | null;
      most_discount_minor: number | null;
      least_total_minor: number;
      paused: boolean;
      /** @description By what is not paid yet. */
      uses_reserved: number;
      /** @description By what is paid. */
      uses_taken: number;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
    };
    PromoCodeUpdate: {
      currency?: string;
      /** @description Percent of the price, with at most two decimals. Send either this or `discount`. */
      discount_percent?: number | null;
      /** @description An amount off the price. */
      discount?: number | null;
      /** @description The most that a percentage takes off; null: any amount. */
      most_discount?: number | null;
      /**
       * @description Who gives up the money. With `seller`, send `seller_id`.
       * @enum {string}
       */
      borne_by?: "platform" | "seller";
      /** @description Only for what this seller sells; null: any seller. */
      seller_id?: string | null;
      /** @description Types of bookings and services; empty: all. */
      types?: ("hotel" | "tour" | "restaurant" | "transfer" | "instructor" | "ski_pass" | "insurance")[];
      /** @description Only for these hotels, tours, ski pass tariffs, insurance products, and so on; empty: all. */
      listing_ids?: string[];
      usable_from?: string | null;
      usable_until?: string | null;
      /** @description The first date on which it may start: a booking, or the validity of passes and insurance. */
      starts_from?: string | null;
      /** @description The last such date. */
      starts_to?: string | null;
      /** @description The least price before the discount. */
      least_total?: number;
      /** @description By all guests together. */
      uses?: number;
      uses_per_person?: number;
      /** @description Only for guests who have not paid for a booking before; never for ski passes and insurance. */
      first_booking_only?: boolean;
      paused?: boolean;
    };
    PromoUse: {
      /** @enum {string} */
      kind: "booking" | "purchase";
      /**
       * Format: uuid
       * @description The booking or the purchase.
       */
      item_id: string;
      /** Format: uuid */
      user_id: string;
      /** @enum {string} */
      status: "reserved" | "taken";
      /** Format: date-time */
      at: string;
    };
    Promotion: {
      /** Format: uuid */
      id: string;
      images: {
          /** Format: uri */
          url: string;
          is_main: boolean;
        }[];
      link: string | null;
      expires_at: string | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
      /** @description The language that the texts are in. */
      lang: string;
      title: string;
      summary: string;
      body: string;
      /** Format: date-time */
      published_at: string;
      promo_code: string | null;
    };
    ProviderMetrics: {
      /** Format: date */
      from: string;
      /** Format: date */
      to: string;
      bookings: components["schemas"]["BookingsOfDay"][];
      conversion: components["schemas"]["BookingConversion"];
      money: components["schemas"]["RevenueOfDay"][];
      answers: components["schemas"]["SellerAnswers"];
    };
    PublicReview: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      target_type: "hotel" | "tour" | "restaurant" | "transfer" | "instructor";
      /** Format: uuid */
      target_id: string;
      rating: number;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
      pictures: components["schemas"]["Attachment"][];
      text: string | null;
      author: string | null;
      answer: {
        text: string;
        /** Format: date-time */
        answered_at: string;
      } | null;
    };
    Purchase: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      user_id: string;
      /** @enum {string} */
      service_type: "ski_pass" | "insurance";
      /** Format: uuid */
      product_id: string;
      product_name: string;
      /** @enum {string} */
      status: "pending_payment" | "paid" | "expired" | "cancelled" | "refunded";
      quantity: number;
      persons: {
          first_name: string;
          last_name: string;
          birth_date: string;
        }[];
      /** Format: date */
      valid_from: string;
      /** Format: date */
      valid_to: string;
      /** Format: date-time */
      starts_at: string;
      currency: string;
      total_minor: number;
      expires_at: string | null;
      payment_id: string | null;
      open_payment_id: string | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
      price_lines: ({
          /** @enum {string} */
          kind: "night" | "tax" | "fee" | "item" | "discount" | "refund";
          /** Format: date */
          date?: string;
          name?: string;
          quantity?: number;
          unit?: number;
          unit_minor?: number;
          amount: number;
          amount_minor: number;
        })[];
      total: number;
      promotion: ({
        /** Format: uuid */
        promo_code_id: string;
        code: string;
        /** @enum {string} */
        bearer: "platform" | "seller";
        discount_minor: number;
        discount: number;
      }) | null;
      ending: ({
        /** @enum {string} */
        by: "guest" | "admin";
        reason: string | null;
        refund_minor: number;
        refund: number;
      }) | null;
    };
    PurchaseCancellationQuote: {
      refund: number;
      refund_minor: number;
      currency: string;
    };
    PurchaseQuote: {
      currency: string;
      total: number;
      total_minor: number;
      price_lines: ({
          /** @enum {string} */
          kind: "night" | "tax" | "fee" | "item" | "discount" | "refund";
          /** Format: date */
          date?: string;
          name?: string;
          quantity?: number;
          unit?: number;
          unit_minor?: number;
          amount: number;
          amount_minor: number;
        })[];
      discount: number;
      discount_minor: number;
      /** Format: date */
      valid_from: string;
      /** Format: date */
      valid_to: string;
    };
    PushAudience: {
      people: number;
      devices: number;
    };
    PushBroadcast: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      kind: "marketing" | "system";
      segment: {
        roles?: ("tourist" | "hotelier" | "tour_operator" | "transfer_provider" | "instructor" | "restaurant" | "admin")[];
        platforms?: ("ios" | "android" | "web")[];
        /** @description Apps older than this version. */
        app_version_lt?: string;
        /**
         * Format: date-time
         * @description Devices that were registered again since.
         */
        last_seen_after?: string;
        user_ids?: string[];
        /** @description Of the device, else of the account. `en` is also `en-GB`. */
        languages?: string[];
      };
      /** @description Whose language is missing gets the other one. */
      texts: {
        ru?: {
          title: string;
          body: string;
        };
        en?: {
          title: string;
          body: string;
        };
      };
      link: string;
      /** @enum {string} */
      urgency: "normal" | "high";
      /** Format: date-time */
      send_at: string;
      /** Format: date-time */
      expires_at: string;
      /**
       * @description `scheduled` waits for its time or is being sent, `finished` was sent, `cancelled` sends nothing more. With `finished_at`, `counts` are final.
       * @enum {string}
       */
      status: "scheduled" | "paused" | "cancelled" | "finished";
      /** Format: date-time */
      created_at: string;
      /** @description Id of the account that sends it. */
      created_by: string;
      finished_at: string | null;
      /** @description What became of it until now, in devices. */
      counts: {
        devices: number;
        delivered: number;
        /** @description Dead tokens, refused messages and devices whose person has signed out. */
        failed: number;
        /** @description The service did not take it in time. */
        expired: number;
        cancelled: number;
        /** @description Queued, or waiting for another attempt. */
        waiting: number;
      };
    };
    PushDelivery: {
      /** Format: uuid */
      device_id: string;
      /** Format: uuid */
      user_id: string;
      /** @enum {string} */
      service: "fcm" | "apns" | "web";
      /**
       * @description `delivered`: the service has taken it. `dead`: the token was of no use, and is forgotten. `refused` by the service. `gone`: the person had signed out or left the device. `unwanted`: the consent to marketing was withdrawn.
       * @enum {string}
       */
      outcome: "waiting" | "delivered" | "dead" | "refused" | "expired" | "gone" | "unwanted" | "cancelled";
      reason: string | null;
      /** @description How often the service was asked. */
      attempts: number;
      settled_at: string | null;
    };
    PushDevice: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      platform: "ios" | "android" | "web";
      /**
       * @description Of iOS: `sandbox` for a build that was installed from Xcode.
       * @enum {string}
       */
      environment: "production" | "sandbox";
      app_version: string | null;
      language: string | null;
      /** Format: date-time */
      registered_at: string;
      /**
       * Format: date-time
       * @description When it was registered again last.
       */
      last_seen_at: string;
    };
    PushTest: {
      /** @description How many it was queued for. */
      devices: number;
    };
    QueueAlert: {
      /** Format: uuid */
      lift_id: string;
      below_minutes: number;
      /**
       * Format: date-time
       * @description The end of the day at the resort.
       */
      expires_at: string;
    };
    ReadNotifications: {
      /** @description A `seq`. */
      up_to?: number;
    };
    Recommendation: {
      /** @enum {string} */
      kind: "hotel" | "tour" | "restaurant" | "transfer" | "instructor" | "slope";
      /**
       * Format: uuid
       * @description Of the listing or slope.
       */
      id: string;
      title: string;
      city: string | null;
      image_url: string | null;
      rating: number | null;
      reviews_count: number;
      /** @description The lowest price; of a hotel with dates, the average night of the stay. */
      price: components["schemas"]["RecommendedPrice"] | null;
      /** @description The strongest first. */
      reasons: ({
          /** @enum {string} */
          code: "booked_together" | "similar" | "popular" | "season" | "rated" | "free" | "offered" | "open" | "groomed" | "variety";
          /** @description In the language of the reply, without a full stop. */
          text: string;
        })[];
    };
    Recommendations: {
      /** @description Whether the caller consents to recommendations from what they booked. */
      personal: boolean;
      data: components["schemas"]["Recommendation"][];
    };
    RecommendedPrice: {
      amount: number;
      amount_minor: number;
      currency: string;
      /**
       * @description `guest`: the average bill of a restaurant.
       * @enum {string}
       */
      per: "night" | "person" | "guest" | "ride" | "hour";
    };
    Reconciliation: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      trigger: "daily" | "requested";
      /** @enum {string} */
      status: "running" | "finished";
      checked: number | null;
      unanswered: number | null;
      unanswered_payments: string[];
      differences: number;
      /** Format: date-time */
      started_at: string;
      finished_at: string | null;
    };
    ReconciliationReport: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      trigger: "daily" | "requested";
      /** @enum {string} */
      status: "running" | "finished";
      checked: number | null;
      unanswered: number | null;
      unanswered_payments: string[];
      differences: number;
      /** Format: date-time */
      started_at: string;
      finished_at: string | null;
      found: {
        data: components["schemas"]["PaymentDifference"][];
        /** @description The number of rows on all pages. */
        total: number;
        /**
         * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
         * @constant
         */
        total_is_at_least?: true;
        page: number;
        per_page: number;
      };
    };
    RecordedEvents: {
      accepted: number;
      /** @description Events that were sent before. */
      duplicates: number;
      rejected: components["schemas"]["RejectedItem"][];
    };
    Refund: {
      /** Format: uuid */
      refund_id: string;
      /** Format: uuid */
      payment_id: string;
      item_id: string | null;
      /** @enum {string} */
      status: "pending" | "succeeded" | "failed" | "manual_review";
      amount: number;
      amount_minor: number;
      currency: string;
    };
    RejectedItem: {
      /** @description Of the item in the list, from 0. */
      index: number;
      detail: string;
    };
    ReportedChat: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: "p2p" | "group" | "support";
      title: string | null;
      /** Format: uuid */
      created_by: string;
      /** Format: date-time */
      created_at: string;
      /** @description At most 50: members in the order in which they joined, then who has left. */
      people: {
          /** Format: uuid */
          account_id: string;
          /** @description First and last name; `Deleted user` once the account is erased. */
          name: string;
          /** @description false: they have left or were removed. */
          is_member: boolean;
        }[];
      /** @description How many people are or were in it. */
      people_count: number;
    };
    ReportedLeaderboardName: {
      /** Format: uuid */
      account_id: string;
      display_name: string;
    };
    ReportedStory: {
      /** Format: uuid */
      id: string;
      author_id: string | null;
      author: string | null;
      text: string;
      media: components["schemas"]["Attachment"];
      /**
       * @description `deleted`: by its author, while a report of it was open.
       * @enum {string}
       */
      status: "shown" | "removed" | "deleted";
    };
    ReportedTrackingDay: {
      /** Format: date */
      day: string;
      /** @description `false`: at least one day was counted by a device, without points to check it by. */
      verified: boolean;
      distance_m: number;
      vertical_m: number;
      ascent_m: number;
      runs: number;
      lifts: number;
      moving_s: number;
      max_speed_kmh: number;
    };
    RequestedPayout: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      owner_id: string;
      currency: string;
      amount: number;
      amount_minor: number;
      /** @constant */
      status: "requested";
    };
    ResortChange: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      subject_id: string;
      /** @enum {string} */
      change: "added" | "changed" | "status_set" | "queue_reported" | "queue_withdrawn" | "retired";
      /** Format: date-time */
      at: string;
      /** @description Id of the account or the key that changed it. */
      by: string;
      /** @description What it was changed to. */
      data: Record<string, never>;
    };
    ResortEventMarked: {
      /** Format: uuid */
      id: string;
      images: {
          /** Format: uri */
          url: string;
          is_main: boolean;
        }[];
      link: string | null;
      expires_at: string | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
      /** @description The language that the texts are in. */
      lang: string;
      title: string;
      summary: string;
      body: string;
      /** Format: date-time */
      published_at: string;
      place: string;
      location: {
        latitude: number;
        longitude: number;
      } | null;
      /** Format: date-time */
      starts_at: string;
      /** Format: date-time */
      ends_at: string;
      timezone: string;
      /** @description How many people have said that they come. */
      attendees: number;
      /** @description Whether it is a favourite of the caller. Absent for those who are not signed in. */
      is_favorite?: boolean;
    };
    ResortReport: {
      stations: ({
          key: string;
          name: string;
          longitude: number;
          latitude: number;
          altitude_m: number;
          snow: ({
            depth_cm: number;
            new24h_cm: number | null;
            new48h_cm: number | null;
            /** Format: date-time */
            measured_at: string;
          }) | null;
        })[];
      avalanche: ({
        /** @description From 1 (low) to 5 (very high). */
        level: number;
        text: string | null;
        valid_until: string | null;
      }) | null;
      season: {
        /** Format: date */
        from: string;
        /**
         * Format: date
         * @description The last day.
         */
        until: string;
      } | null;
      notices: ({
          /** Format: uuid */
          notice_id: string;
          /** @enum {string} */
          severity: "info" | "warning" | "danger";
          text: string;
          from: string | null;
          until: string | null;
        })[];
    };
    ResortStatus: {
      timezone: string;
      lifts: {
        total: number;
        open: number;
        hold: number;
        scheduled: number;
        closed: number;
      };
      slopes: {
        total: number;
        open: number;
        hold: number;
        scheduled: number;
        closed: number;
        open_km: number;
        total_km: number;
      };
      /** @description From the lowest to the highest. */
      stations: ({
          key: string;
          name: string;
          longitude: number;
          latitude: number;
          altitude_m: number;
          snow: ({
            depth_cm: number;
            new24h_cm: number | null;
            new48h_cm: number | null;
            /** Format: date-time */
            measured_at: string;
            /** @description It is older than it should be: do not show it as the present. */
            is_old: boolean;
          }) | null;
          weather: ({
            temperature_c: number;
            wind_ms: number;
            gust_ms: number | null;
            wind_direction_deg: number | null;
            visibility_m: number | null;
            weather_code: number | null;
            snowfall24h_cm: number;
            snowfall48h_cm: number;
            /** Format: date-time */
            observed_at: string;
            /** @description It is older than it should be: do not show it as the present. */
            is_old: boolean;
          }) | null;
        })[];
      avalanche: ({
        /** @description From 1 (low) to 5 (very high). */
        level: number;
        text: string | null;
        valid_until: string | null;
      }) | null;
      season: {
        /** Format: date */
        from: string;
        /**
         * Format: date
         * @description The last day.
         */
        until: string;
      } | null;
      notices: ({
          /** Format: uuid */
          notice_id: string;
          /** @enum {string} */
          severity: "info" | "warning" | "danger";
          text: string;
          from: string | null;
          until: string | null;
        })[];
      last_groomed_at: string | null;
    };
    ResortStory: {
      /** Format: uuid */
      id: string;
      title: string | null;
      text: string;
      media: components["schemas"]["Attachment"];
      /** Format: uuid */
      media_id: string;
      link: string | null;
      roles: ("tourist" | "hotelier" | "tour_operator" | "transfer_provider" | "instructor" | "restaurant" | "admin")[];
      /** Format: date-time */
      publish_at: string;
      /** Format: date-time */
      expires_at: string;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
      views: number;
      likes: number;
    };
    ResortStoryInput: {
      title: string;
      /**
       * Format: uuid
       * @description A file of yours in the folder `stories`, or the one that it shows already.
       */
      media_id: string;
      text?: string;
      /** @description Where it leads. */
      link?: string | null;
      /** @description Who sees it; empty: everybody who is signed in. */
      roles?: ("tourist" | "hotelier" | "tour_operator" | "transfer_provider" | "instructor" | "restaurant" | "admin")[];
      /**
       * Format: date-time
       * @description Now by default.
       */
      publish_at?: string;
      /**
       * Format: date-time
       * @description 24 hours after `publish_at` by default.
       */
      expires_at?: string;
    };
    Restaurant: {
      /** Format: uuid */
      id: string;
      name: string;
      city: string;
      address: string;
      description: string;
      cuisines: string[];
      images: {
          /** Format: uri */
          url: string;
          is_main: boolean;
        }[];
      location: {
        latitude: number;
        longitude: number;
      };
      average_bill: number;
      average_bill_minor: number;
      opening_hours: ({
          weekdays: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
          from: string;
          to: string;
        })[];
      closed_dates: string[];
      sitting_minutes: number;
      deposit_per_guest: number;
      deposit_per_guest_minor: number;
      tables: {
          /** Format: uuid */
          id: string;
          name: string;
          seats: number;
          units: number;
        }[];
      /** @enum {string} */
      cancellation_policy: "flexible" | "moderate" | "strict" | "non_refundable";
      /**
       * @description `instant`: a paid booking is certain. `on_request`: the seller confirms or rejects it, until `answer_by` of the booking.
       * @enum {string}
       */
      confirmation: "instant" | "on_request";
      /** @description Whether a guest may book this although they have another booking of the same kind at the same time, for others. Otherwise that is refused (409 `overlapping_booking`). */
      allow_overlapping: boolean;
      /** @description IANA name. All times of the listing are in this zone. */
      timezone: string;
      currency: string;
      min_price: number | null;
      /** @description The lowest price; null without a price. */
      min_price_minor: number | null;
      distance_km: number | null;
      rating: number | null;
      reviews_count: number;
      /** @description Whether it is a favourite of the caller. Absent for those who are not signed in. */
      is_favorite?: boolean;
    };
    RestaurantUpdate: {
      name?: string;
      city?: string;
      address?: string;
      description?: string;
      cuisines?: string[];
      /** @description Each has either `url` or `file_id`. At most one is the main one. */
      images?: {
          /**
           * Format: uri
           * @description Of a picture that is elsewhere, or as a reply has it.
           */
          url?: string;
          /**
           * Format: uuid
           * @description Of a picture that was uploaded to the folder `listings`.
           */
          file_id?: string;
          is_main: boolean;
        }[];
      location?: {
        latitude: number;
        longitude: number;
      };
      average_bill?: number;
      opening_hours?: ({
          weekdays: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
          from: string;
          to: string;
        })[];
      closed_dates?: string[];
      sitting_minutes?: number;
      deposit_per_guest?: number;
      tables?: {
          /**
           * Format: uuid
           * @description Of an existing one; a new one gets its id from the server.
           */
          id?: string;
          name: string;
          seats: number;
          units: number;
        }[];
      /** @enum {string} */
      cancellation_policy?: "flexible" | "moderate" | "strict" | "non_refundable";
      /**
       * @description `instant`: a paid booking is certain. `on_request`: the seller confirms or rejects it, until `answer_by` of the booking.
       * @enum {string}
       */
      confirmation?: "instant" | "on_request";
      /** @description Whether a guest may book this although they have another booking of the same kind at the same time, for others. Otherwise that is refused (409 `overlapping_booking`). */
      allow_overlapping?: boolean;
      /**
       * @description A `closed` listing is not listed and cannot be booked.
       * @enum {string}
       */
      status?: "closed" | "published";
    };
    /** @description `revenue` + `earned` = `captured` - `refunded` + `discounts` + `losses` + `corrections`. */
    RevenueOfDay: {
      /** Format: date */
      day: string;
      /** @description The type of booking, `ski_pass`, `insurance`, or `other`. */
      kind: string;
      currency: string;
      captured: number;
      captured_minor: number;
      /** @description Refunded and charged back. */
      refunded: number;
      refunded_minor: number;
      /** @description Of the platform: commissions, and what it sells itself. */
      revenue: number;
      revenue_minor: number;
      /** @description Of sellers. */
      earned: number;
      earned_minor: number;
      /** @description Discounts that the platform has borne: prices are higher than what was paid by as much. */
      discounts: number;
      discounts_minor: number;
      /** @description What refunds and chargebacks took beyond what was left of an item. */
      losses: number;
      losses_minor: number;
      /** @description What corrections have added from other accounts, such as those of the bank. */
      corrections: number;
      corrections_minor: number;
    };
    Review: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      booking_id: string;
      /** Format: uuid */
      seller_id: string;
      /** @enum {string} */
      target_type: "hotel" | "tour" | "restaurant" | "transfer" | "instructor";
      /** Format: uuid */
      target_id: string;
      rating: number;
      /** @enum {string} */
      status: "published" | "hidden";
      /** Format: date-time */
      editable_until: string;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
      pictures: components["schemas"]["Attachment"][];
      text: string | null;
      author: string | null;
      answer: {
        text: string;
        /** Format: date-time */
        answered_at: string;
      } | null;
      /**
       * Format: uuid
       * @description The author. Only for: admin.
       */
      user_id?: string;
      /** @description Why an admin has hidden it. Only for: guest, admin. */
      hidden_reason?: string | null;
    };
    ReviewReport: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      reporter_id: string;
      /** @description What is reported: `message`, `review` and so on. */
      subject_kind: string;
      /** Format: uuid */
      subject_id: string;
      within_id: string | null;
      reason: string;
      /** @enum {string} */
      status: "open" | "resolved";
      action: ("dismissed" | "removed") | null;
      resolved_by: string | null;
      resolved_at: string | null;
      /** Format: date-time */
      created_at: string;
      /** @description What it said each time it was reported, whatever its author has done since, until 30 days after the last report or appeal about it was answered; then empty. */
      reported_texts: {
          text: string;
          /** Format: date-time */
          kept_at: string;
        }[];
      /** @description What is reported; null: it does not exist any more. */
      content: components["schemas"]["Review"] | null;
    };
    ReviewUpdate: {
      rating?: number;
      text?: string;
      /** @description Own files that were uploaded to the folder `reviews`, in the order in which they are shown. */
      picture_ids?: string[];
    };
    RideSlot: {
      /** Format: date-time */
      slot_start: string;
      /** Format: date-time */
      slot_end: string;
      available: boolean;
      /** @description Free seats of the departure; free tables or vehicles of this kind. Its seller sees a negative number where more is sold than there is. */
      left: number;
      /** @description Price for the party; for a table, the deposit. */
      total: number;
      total_minor: number;
      vehicle: {
        /** Format: uuid */
        id: string;
        name: string;
        /** @enum {string} */
        class: "economy" | "comfort" | "business" | "minivan" | "minibus" | "bus" | "offroad";
        seats: number;
        luggage: number;
      };
    };
    RoleCommissionRates: {
      rates: ({
          /** @enum {string} */
          role: "tourist" | "hotelier" | "tour_operator" | "transfer_provider" | "instructor" | "restaurant" | "admin";
          type: ("hotel" | "tour" | "restaurant" | "transfer" | "instructor") | null;
          rate_bps: number;
          /** @description At most two decimals. */
          rate_percent: number;
        })[];
    };
    RoleRequest: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      account_id: string;
      /** @enum {string} */
      role: "tourist" | "hotelier" | "tour_operator" | "transfer_provider" | "instructor" | "restaurant" | "admin";
      company_name: string;
      documents: {
          name: string;
          url: string;
        }[];
      comment: string | null;
      /** @enum {string} */
      status: "pending" | "approved" | "rejected" | "withdrawn";
      reason: string | null;
      decided_by: string | null;
      decided_at: string | null;
      /** Format: date-time */
      created_at: string;
    };
    Room: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      hotel_id: string;
      name: string;
      description: string;
      capacity: number;
      units: number;
      amenities: string[];
      images: {
          /** Format: uri */
          url: string;
          is_main: boolean;
        }[];
      /** @description The price of nights without one of their own, before taxes and fees. Of rooms added before this release and not priced since: only shown. */
      price_per_night: number;
      price_per_night_minor: number;
      currency: string;
      /** @description Whether the room is free on the given dates; without dates, whether any future night is free. */
      availability: boolean;
      min_price: number | null;
      min_price_minor: number | null;
    };
    RoomMarked: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      hotel_id: string;
      name: string;
      description: string;
      capacity: number;
      units: number;
      amenities: string[];
      images: {
          /** Format: uri */
          url: string;
          is_main: boolean;
        }[];
      /** @description The price of nights without one of their own, before taxes and fees. Of rooms added before this release and not priced since: only shown. */
      price_per_night: number;
      price_per_night_minor: number;
      currency: string;
      /** @description Whether the room is free on the given dates; without dates, whether any future night is free. */
      availability: boolean;
      min_price: number | null;
      min_price_minor: number | null;
      /** @description Whether it is a favourite of the caller. Absent for those who are not signed in. */
      is_favorite?: boolean;
    };
    RoomOffer: {
      /** Format: uuid */
      room_id: string;
      name: string;
      capacity: number;
      available: boolean;
      /** @description Free rooms on the night with the fewest. The owner sees a negative number where more is sold than there is. */
      rooms_left: number;
      nights: ({
          /** Format: date */
          date: string;
          price: number | null;
          price_minor: number | null;
          stop_sell: boolean;
          min_stay: number | null;
          max_stay: number | null;
          closed_to_arrival: boolean;
          closed_to_departure: boolean;
          available: boolean;
          rooms_left: number;
        })[];
      price: components["schemas"]["StayPrice"] | null;
      /** @enum {string} */
      cancellation_policy: "flexible" | "moderate" | "strict" | "non_refundable";
      cancellation_rules: {
          from: number;
          penalty_percent: number;
          /**
           * Format: date-time
           * @description It applies to cancellations until then, that instant included.
           */
          until: string;
        }[];
      unavailable_reasons: ("closed" | "past" | "too_late" | "too_long" | "too_far" | "capacity" | "not_priced" | "stop_sell" | "min_stay" | "max_stay" | "closed_to_arrival" | "closed_to_departure" | "sold_out")[];
    };
    RoomUpdate: {
      name?: string;
      description?: string;
      capacity?: number;
      units?: number;
      amenities?: string[];
      /** @description Each has either `url` or `file_id`. At most one is the main one. */
      images?: {
          /**
           * Format: uri
           * @description Of a picture that is elsewhere, or as a reply has it.
           */
          url?: string;
          /**
           * Format: uuid
           * @description Of a picture that was uploaded to the folder `listings`.
           */
          file_id?: string;
          is_main: boolean;
        }[];
      /** @description In major units of the currency of the hotel. */
      price_per_night?: number;
    };
    SellerAnswers: {
      /** @description Bookings that the seller was asked to confirm. */
      asked: number;
      answered: number;
      /** @description Ended without an answer. */
      lapsed: number;
      median_s: number | null;
      p90_s: number | null;
    };
    SettledPayout: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      status: "requested" | "paid" | "failed";
    };
    SharedTrack: {
      /** Format: uuid */
      session_id: string;
      /** Format: uuid */
      owner_id: string;
      /** Format: date-time */
      shared_at: string;
      /** Format: date-time */
      expires_at: string;
      /** @description First and last name: who shares a track is no stranger to its viewers. */
      owner_name: string;
    };
    SignInMethod: {
      /** @description `password`, `phone`, `email`, or the id of an identity at a provider. */
      id: string;
      /** @enum {string} */
      kind: "password" | "phone" | "email" | "provider";
      provider: string | null;
      value: string | null;
      /** @description Of an address: you have proved that it is yours. Of an identity: it opens the account. One that was linked by its e-mail address does not open an account that sells, administers or audits, until you add it again. */
      verified: boolean;
      /** Format: date-time */
      added_at: string;
      /** @description false: nothing else signs in to the account. */
      removable: boolean;
    };
    SignInMethods: {
      data: components["schemas"]["SignInMethod"][];
    };
    SignedIn: {
      access_token: string;
      /** @enum {string} */
      token_type: "bearer";
      /** @description Lifetime of the access token in seconds. */
      expires_in: number;
      refresh_token: string;
      /** @description Send it with later sign-ins from this device: failed attempts of others then never delay or refuse them. */
      device_token: string;
      user: components["schemas"]["User"];
    };
    SkiPass: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      purchase_id: string;
      /** Format: uuid */
      user_id: string;
      number: number;
      /** Format: uuid */
      tariff_id: string;
      tariff_name: string;
      /** @enum {string} */
      age_group: "adult" | "youth" | "child" | "senior";
      /** @enum {string} */
      unit: "hour" | "day" | "season";
      count: number;
      /** Format: date */
      valid_from: string;
      /** Format: date */
      valid_to: string;
      /** Format: date-time */
      starts_at: string;
      timezone: string;
      areas: number[];
      refunds_unused: boolean;
      currency: string;
      price_minor: number;
      deposit_minor: number;
      /** Format: date-time */
      sold_at: string;
      /** @enum {string} */
      status: "active" | "blocked" | "given_back" | "ended";
      serial: number;
      is_printed: boolean;
      holder_name: string | null;
      photo_id: string | null;
      days: string[];
      last_passage_at: string | null;
      refund_minor: number | null;
      card_returned: boolean;
      /** Format: date-time */
      updated_at: string;
      price: number;
      deposit: number;
      refund: number | null;
      /**
       * Format: date
       * @description The last valid date, with the days that the closed mountain gave back.
       */
      valid_until: string;
      units_left: number | null;
    };
    SkiPassGivenBack: {
      pass: components["schemas"]["SkiPassNow"];
      /** @description Unused days; 1 for hours and seasons that were not begun. */
      units: number;
      refund: number;
      refund_minor: number;
      currency: string;
      settles_at: string | null;
    };
    SkiPassIssue: {
      /** Format: uuid */
      purchase_id: string;
      /**
       * @description Of the passes of the purchase.
       * @default 1
       */
      number?: number;
      /** @description The Ed25519 public key of the phone that shows the code, base64url. Left out: the code is printed, and a picture of it opens gates, too. */
      device_key?: string;
      /** @description The serial of a code that was lost. */
      replace_serial?: number;
      holder?: {
        name: string | null;
        photo_id: string | null;
      };
    };
    SkiPassNow: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      purchase_id: string;
      number: number;
      tariff_name: string;
      /** @enum {string} */
      age_group: "adult" | "youth" | "child" | "senior";
      /** @enum {string} */
      unit: "hour" | "day" | "season";
      count: number;
      areas: number[];
      serial: number;
      is_printed: boolean;
      /** Format: date */
      valid_from: string;
      /**
       * Format: date
       * @description The last valid date, with the days that the closed mountain gave back.
       */
      valid_until: string;
      days: string[];
      units_left: number | null;
      is_blocked: boolean;
      /** @description It opens no gate any more. */
      is_given_back: boolean;
    };
    SkiPassQuote: {
      currency: string;
      total: number;
      total_minor: number;
      price_lines: ({
          /** @enum {string} */
          kind: "night" | "tax" | "fee" | "item" | "discount" | "refund";
          /** Format: date */
          date?: string;
          name?: string;
          quantity?: number;
          unit?: number;
          unit_minor?: number;
          amount: number;
          amount_minor: number;
        })[];
      discount: number;
      discount_minor: number;
      /** Format: date */
      valid_from: string;
      /** Format: date */
      valid_to: string;
      /** @description Dates from `valid_from` to `valid_to` on which the mountain is declared closed already. Nothing is given back for them. */
      closed_dates: string[];
    };
    SkiPassScan: {
      /**
       * Format: uuid
       * @description Chosen by the gate. The same scan again has the same id.
       */
      scan_id: string;
      /** @description What the gate has read, unchanged. */
      code: string;
      /**
       * Format: uuid
       * @description Of the lift at which the gate stands, whose queue is counted from its passages. It is not checked.
       */
      lift_id?: string;
      /** @description Of the gate. Without it, passes of all areas open it. */
      area?: number;
      gate_id: string;
    };
    SkiPassScanned: {
      /** Format: uuid */
      scan_id: string;
      opens: boolean;
      reason: ("replaced" | "refunded" | "blocked" | "not_yet_valid" | "expired" | "wrong_area" | "spent" | "passback" | "clock" | "malformed" | "unknown_key" | "forged" | "stale") | null;
      detail: string | null;
      pass: components["schemas"]["SkiPassNow"] | null;
    };
    SkiPassTariff: {
      /** Format: uuid */
      id: string;
      name: string;
      description: string;
      images: {
          /** Format: uri */
          url: string;
          is_main: boolean;
        }[];
      /** @enum {string} */
      age_group: "adult" | "youth" | "child" | "senior" | "family";
      ages: {
        from: number;
        to: number;
      } | null;
      family: {
        adults: number;
        children: number;
      } | null;
      duration: {
        /** @enum {string} */
        unit: "hour" | "day" | "season";
        count: number;
      };
      within_days: number;
      season: {
        /** Format: date */
        from: string;
        /** Format: date */
        to: string;
      };
      areas: number[];
      refunds_unused: boolean;
      /** @description Price of one pass, or of one family. */
      price: number;
      price_minor: number;
      /** @description Other prices for passes whose first valid date is in a period. */
      season_prices: {
          /** Format: date */
          from: string;
          /** Format: date */
          to: string;
          price: number;
          price_minor: number;
        }[];
      /** @description For the card of one pass; 0: there are no cards. */
      deposit: number;
      deposit_minor: number;
      /** @description IANA name. Dates are in this zone. */
      timezone: string;
      currency: string;
      /**
       * @description A `closed` product is not listed and not sold.
       * @enum {string}
       */
      status: "closed" | "published";
    };
    SkiPassTariffUpdate: {
      name?: string;
      description?: string;
      images?: {
          /** Format: uri */
          url: string;
          is_main: boolean;
        }[];
      /** @enum {string} */
      age_group?: "adult" | "youth" | "child" | "senior" | "family";
      ages?: {
        from: number;
        to: number;
      } | null;
      family?: {
        adults: number;
        children: number;
      } | null;
      duration?: {
        /** @enum {string} */
        unit: "hour" | "day" | "season";
        count: number;
      };
      within_days?: number;
      season?: {
        /** Format: date */
        from: string;
        /** Format: date */
        to: string;
      };
      areas?: number[];
      refunds_unused?: boolean;
      price?: number;
      season_prices?: {
          /** Format: date */
          from: string;
          /** Format: date */
          to: string;
          price: number;
        }[];
      deposit?: number;
      /**
       * @description A `closed` product is not listed and not sold.
       * @enum {string}
       */
      status?: "closed" | "published";
    };
    SkiPassVerdict: {
      opens: boolean;
      reason: ("replaced" | "refunded" | "blocked" | "not_yet_valid" | "expired" | "wrong_area" | "spent" | "passback" | "clock" | "malformed" | "unknown_key" | "forged" | "stale") | null;
      detail: string | null;
      pass: components["schemas"]["SkiPassNow"] | null;
    };
    SlopeMarked: {
      /** Format: uuid */
      id: string;
      revision: number;
      retired_at: string | null;
      /** Format: date-time */
      updated_at: string;
      name: string;
      description: string;
      source_id: string | null;
      length_m: number | null;
      bottom_altitude_m: number | null;
      top_altitude_m: number | null;
      schedule: ({
        seasons: ({
            /** Format: date */
            from: string;
            /**
             * Format: date
             * @description The last day.
             */
            until: string;
            hours: ({
                weekdays: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
                opens: string;
                closes: string;
              })[];
          })[];
        /** @description The first one that has a day counts for it. */
        exceptions: ({
            /** Format: date */
            from: string;
            /**
             * Format: date
             * @description The last day.
             */
            until: string;
            /** @description Instead of those of the season; empty: closed. */
            hours: {
                opens: string;
                closes: string;
              }[];
            note: string | null;
          })[];
      }) | null;
      /** @enum {string} */
      difficulty: "novice" | "easy" | "intermediate" | "advanced" | "expert" | "freeride";
      geometry: ({
        /** @enum {unknown} */
        type: "LineString" | "Polygon";
      }) & ({
        /** @constant */
        type: "LineString";
        coordinates: number[][];
      } | {
        /** @constant */
        type: "Polygon";
        coordinates: number[][][];
      });
      /** @description The lifts from whose upper stations it is reached. */
      from_lifts: string[];
      /** @description The lifts whose lower stations are reached from it. */
      to_lifts: string[];
      /** @description The slopes that it leads to. */
      to_slopes: string[];
      groomed_at: string | null;
      /** @enum {string} */
      status: "open" | "hold" | "scheduled" | "closed";
      /** @enum {string} */
      source: "manual" | "schedule" | "none";
      reason: string | null;
      until: string | null;
      /** @description Whether it is a favourite of the caller. Absent for those who are not signed in. */
      is_favorite?: boolean;
    };
    SlopePatch: {
      name?: string;
      description?: string;
      source_id?: string | null;
      length_m?: number | null;
      bottom_altitude_m?: number | null;
      top_altitude_m?: number | null;
      schedule?: ({
        seasons: ({
            /** Format: date */
            from: string;
            /**
             * Format: date
             * @description The last day.
             */
            until: string;
            hours: ({
                weekdays: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
                opens: string;
                closes: string;
              })[];
          })[];
        /** @description The first one that has a day counts for it. */
        exceptions: ({
            /** Format: date */
            from: string;
            /**
             * Format: date
             * @description The last day.
             */
            until: string;
            /** @description Instead of those of the season; empty: closed. */
            hours: {
                opens: string;
                closes: string;
              }[];
            note: string | null;
          })[];
      }) | null;
      /** @enum {string} */
      difficulty?: "novice" | "easy" | "intermediate" | "advanced" | "expert" | "freeride";
      geometry?: ({
        /** @enum {unknown} */
        type: "LineString" | "Polygon";
      }) & ({
        /** @constant */
        type: "LineString";
        coordinates: number[][];
      } | {
        /** @constant */
        type: "Polygon";
        coordinates: number[][][];
      });
      /** @description The lifts from whose upper stations it is reached. */
      from_lifts?: string[];
      /** @description The lifts whose lower stations are reached from it. */
      to_lifts?: string[];
      /** @description The slopes that it leads to. */
      to_slopes?: string[];
      groomed_at?: string | null;
      /**
       * @description `hold`: stopped for a short time, with a reason. `auto`: back to the schedule.
       * @enum {string}
       */
      status?: "open" | "closed" | "hold" | "auto";
      until?: string | null;
      reason?: string | null;
    };
    Slot: {
      /** Format: date-time */
      slot_start: string;
      /** Format: date-time */
      slot_end: string;
      available: boolean;
      /** @description Free seats of the departure; free tables or vehicles of this kind. Its seller sees a negative number where more is sold than there is. */
      left: number;
      /** @description Price for the party; for a table, the deposit. */
      total: number;
      total_minor: number;
    };
    SmsCodeStatus: {
      /**
       * Format: uuid
       * @description Identifies the phone number in `GET /auth/sms/status`, so that numbers do not appear in URLs.
       */
      request_id: string;
      /** @description Seconds until another code can be sent. */
      can_send_in_s: number;
      /** @description Whether a code was sent that can still be used. */
      code_active: boolean;
      attempts_left: number;
    };
    SosDuty: {
      shifts: ({
          /** Format: uuid */
          account_id: string;
          from: string | null;
          until: string | null;
        })[];
      on_duty: string[];
    };
    SosIncident: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      account_id: string;
      /** @enum {string} */
      status: "new" | "acknowledged" | "dispatched" | "resolved" | "false_alarm";
      position: ({
        lat: number;
        lon: number;
        accuracy: number | null;
        /** Format: date-time */
        at: string;
      }) | null;
      track: (({
          lat: number;
          lon: number;
          accuracy: number | null;
          /** Format: date-time */
          at: string;
        })[]) | null;
      battery: number | null;
      messages: string[];
      acknowledged_at: string | null;
      dispatched_at: string | null;
      ended_at: string | null;
      /** @description When the person last asked again, but for repetitions within minutes; null: never. */
      requested_again_at: string | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
      /** @description How often rescuers were told because nobody had answered. Only for: admin. */
      escalations?: number;
      /** @description The accounts that were told last. Only for: admin. */
      notified?: string[];
      /** @description The account that took the last step. Only for: admin. */
      handled_by?: string | null;
      /** @description Who needs help. Only for: admin. */
      person?: {
        first_name: string | null;
        last_name: string | null;
        phone: string | null;
      };
    };
    SosPositions: {
      /** @description As many as a body of 16 KiB holds. */
      positions?: ({
          /** @description Degrees. */
          lat?: number | null;
          /** @description Degrees. */
          lon?: number | null;
          /** @description Metres. */
          accuracy?: number | null;
          /** Format: date-time */
          at?: string;
          [key: string]: unknown;
        })[];
      /** @description Percent. */
      battery?: number | null;
      /**
       * Format: date-time
       * @description When this request was sent, by the clock of the device: a clock that is more than a minute wrong is corrected by it.
       */
      sent_at?: string;
      [key: string]: unknown;
    };
    SosReceipt: {
      /**
       * Format: uuid
       * @description Of the incident, to which a repeated request adds.
       */
      id: string;
      /** @enum {string} */
      status: "new" | "acknowledged" | "dispatched" | "resolved" | "false_alarm";
      /** @description Call it, too. */
      rescue_phone: string;
      /** @description Pointers of what is not used of the body, because it could not be understood, is not known or too long: `/body/lat`; `/body` is all of it. Correct it and send it again. */
      ignored: string[];
    };
    SosRequest: {
      /** @description Degrees. */
      lat?: number | null;
      /** @description Degrees. */
      lon?: number | null;
      /** @description Metres. */
      accuracy?: number | null;
      /** @description Percent. */
      battery?: number | null;
      /** @description The first 1000 characters are kept. */
      message?: string | null;
      [key: string]: unknown;
    };
    Spending: {
      currency: string;
      amount: number;
      amount_minor: number;
    };
    StartedPayment: {
      /** Format: uuid */
      payment_id: string;
      booking_id: string | null;
      trip_id: string | null;
      service_type: string | null;
      /** @enum {string} */
      status: "pending" | "requires_action" | "processing" | "authorized" | "failed" | "cancelled" | "expired" | "succeeded";
      redirect_url: string | null;
      /** @enum {string} */
      method: "card" | "sbp" | "wallet";
      provider: string;
      amount: number;
      amount_minor: number;
      currency: string;
    };
    StartedPaymentMethod: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      user_id: string;
      /** @enum {string} */
      method: "card" | "sbp" | "wallet";
      provider: string | null;
      brand: string | null;
      last4: string | null;
      exp: string | null;
      default: boolean;
      /** @enum {string} */
      status: "requires_action" | "active" | "failed";
      failure_code: string | null;
      /** Format: uuid */
      token: string;
      redirect_url: string | null;
    };
    StartedProjectionRun: {
      name: string;
      /** @enum {string} */
      mode: "rebuild" | "verify";
      resumed_from: number;
    };
    StartedPurchase: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      user_id: string;
      /** @enum {string} */
      service_type: "ski_pass" | "insurance";
      /** Format: uuid */
      product_id: string;
      product_name: string;
      /** @enum {string} */
      status: "pending_payment" | "paid" | "expired" | "cancelled" | "refunded";
      quantity: number;
      persons: {
          first_name: string;
          last_name: string;
          birth_date: string;
        }[];
      /** Format: date */
      valid_from: string;
      /** Format: date */
      valid_to: string;
      /** Format: date-time */
      starts_at: string;
      currency: string;
      total_minor: number;
      expires_at: string | null;
      /** Format: uuid */
      payment_id: string;
      open_payment_id: string | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
      price_lines: ({
          /** @enum {string} */
          kind: "night" | "tax" | "fee" | "item" | "discount" | "refund";
          /** Format: date */
          date?: string;
          name?: string;
          quantity?: number;
          unit?: number;
          unit_minor?: number;
          amount: number;
          amount_minor: number;
        })[];
      total: number;
      promotion: ({
        /** Format: uuid */
        promo_code_id: string;
        code: string;
        /** @enum {string} */
        bearer: "platform" | "seller";
        discount_minor: number;
        discount: number;
      }) | null;
      ending: ({
        /** @enum {string} */
        by: "guest" | "admin";
        reason: string | null;
        refund_minor: number;
        refund: number;
      }) | null;
      /** @enum {string} */
      payment_status: "pending" | "requires_action" | "processing" | "authorized" | "failed" | "cancelled" | "expired" | "succeeded";
      redirect_url: string | null;
    };
    StartedSkiPassPurchase: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      user_id: string;
      /** @enum {string} */
      service_type: "ski_pass" | "insurance";
      /** Format: uuid */
      product_id: string;
      product_name: string;
      /** @enum {string} */
      status: "pending_payment" | "paid" | "expired" | "cancelled" | "refunded";
      quantity: number;
      persons: {
          first_name: string;
          last_name: string;
          birth_date: string;
        }[];
      /** Format: date */
      valid_from: string;
      /** Format: date */
      valid_to: string;
      /** Format: date-time */
      starts_at: string;
      currency: string;
      total_minor: number;
      expires_at: string | null;
      /** Format: uuid */
      payment_id: string;
      open_payment_id: string | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
      price_lines: ({
          /** @enum {string} */
          kind: "night" | "tax" | "fee" | "item" | "discount" | "refund";
          /** Format: date */
          date?: string;
          name?: string;
          quantity?: number;
          unit?: number;
          unit_minor?: number;
          amount: number;
          amount_minor: number;
        })[];
      total: number;
      promotion: ({
        /** Format: uuid */
        promo_code_id: string;
        code: string;
        /** @enum {string} */
        bearer: "platform" | "seller";
        discount_minor: number;
        discount: number;
      }) | null;
      ending: ({
        /** @enum {string} */
        by: "guest" | "admin";
        reason: string | null;
        refund_minor: number;
        refund: number;
      }) | null;
      /** @enum {string} */
      payment_status: "pending" | "requires_action" | "processing" | "authorized" | "failed" | "cancelled" | "expired" | "succeeded";
      redirect_url: string | null;
      /** @description Dates from `valid_from` to `valid_to` on which the mountain is declared closed already. Nothing is given back for them. */
      closed_dates: string[];
    };
    Statement: {
      /** Format: uuid */
      owner_id: string;
      currency: string;
      opening: number;
      opening_minor: number;
      closing: number;
      closing_minor: number;
      entries: {
        data: components["schemas"]["StatementLine"][];
        /** @description The number of rows on all pages. */
        total: number;
        /**
         * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
         * @constant
         */
        total_is_at_least?: true;
        page: number;
        per_page: number;
      };
    };
    StatementLine: {
      /** Format: uuid */
      event_id: string;
      line: number;
      account: string;
      amount_minor: number;
      currency: string;
      type: string;
      payment_id: string | null;
      item_id: string | null;
      payout_id: string | null;
      /** Format: date-time */
      at: string;
      amount: number;
      balance: number;
      balance_minor: number;
    };
    StayPrice: {
      base: number;
      base_minor: number;
      taxes: number;
      taxes_minor: number;
      fees: number;
      fees_minor: number;
      total: number;
      total_minor: number;
      /** @description Average of the base price. */
      avg_per_night: number;
      avg_per_night_minor: number;
    };
    Story: {
      /** Format: uuid */
      id: string;
      title: string | null;
      text: string;
      media: components["schemas"]["Attachment"];
      link: string | null;
      /** Format: date-time */
      published_at: string;
      /** Format: date-time */
      expires_at: string;
      is_seen: boolean;
      is_liked: boolean;
      likes: number;
    };
    StoryGroup: {
      /** @description null: the resort. */
      author: {
        /** Format: uuid */
        id: string;
        name: string;
      } | null;
      is_own: boolean;
      /** @description Whether the caller has seen all of them. Own ones count as seen. */
      is_seen: boolean;
      /** @description In the order in which they were published. */
      stories: components["schemas"]["Story"][];
    };
    StoryReport: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      reporter_id: string;
      /** @description What is reported: `message`, `review` and so on. */
      subject_kind: string;
      /** Format: uuid */
      subject_id: string;
      within_id: string | null;
      reason: string;
      /** @enum {string} */
      status: "open" | "resolved";
      action: ("dismissed" | "removed") | null;
      resolved_by: string | null;
      resolved_at: string | null;
      /** Format: date-time */
      created_at: string;
      /** @description What it said each time it was reported, whatever its author has done since, until 30 days after the last report or appeal about it was answered; then empty. */
      reported_texts: {
          text: string;
          /** Format: date-time */
          kept_at: string;
        }[];
      /** @description What is reported; null: it does not exist any more. */
      content: components["schemas"]["ReportedStory"] | null;
    };
    StuckDuplicateCharge: {
      txn_id: string;
      amount_minor: number;
      /** @enum {string} */
      status: "pending" | "returned" | "manual_review";
      code: string | null;
      /** Format: date-time */
      created_at: string;
      amount: number;
      /** Format: uuid */
      payment_id: string;
      /** Format: uuid */
      user_id: string;
      provider: string;
      currency: string;
    };
    StuckNotification: {
      /** Format: uuid */
      id: string;
      provider: string;
      provider_id: string;
      reason: string | null;
      /** Format: date-time */
      received_at: string;
    };
    StuckRefund: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      item_id: string;
      amount_minor: number;
      /** @enum {string} */
      status: "pending" | "succeeded" | "failed" | "manual_review";
      /** @enum {string} */
      cause: "cancelled" | "rejected" | "late_payment" | "double_payment" | "requested" | "changed";
      made_at_provider: boolean;
      code: string | null;
      /** Format: date-time */
      created_at: string;
      amount: number;
      /** Format: uuid */
      payment_id: string;
      /** Format: uuid */
      user_id: string;
      provider: string;
      txn_id: string | null;
      currency: string;
    };
    SupportTicket: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      user_id: string;
      /** Format: uuid */
      thread_id: string;
      subject: string | null;
      /**
       * @description `waiting` in the queue, `assigned` to an agent who has to answer until `answer_by`, `answered`, `resolved`.
       * @enum {string}
       */
      status: "waiting" | "assigned" | "answered" | "resolved";
      agent_id: string | null;
      answer_by: string | null;
      waiting_since: string | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
      resolved_at: string | null;
      /** @description `Anna O.`; `Deleted user` once the account is erased. */
      user_name: string;
      agent_name: string | null;
    };
    TableSlot: {
      /** Format: date-time */
      slot_start: string;
      /** Format: date-time */
      slot_end: string;
      available: boolean;
      /** @description Free seats of the departure; free tables or vehicles of this kind. Its seller sees a negative number where more is sold than there is. */
      left: number;
      /** @description Price for the party; for a table, the deposit. */
      total: number;
      total_minor: number;
      table: {
        /** Format: uuid */
        id: string;
        name: string;
        seats: number;
      };
    };
    TbankNotification: {
      TerminalKey: string;
      Status: string;
      PaymentId?: number | string;
      /** @description Instead of `PaymentId`, when a card was saved. */
      RequestKey?: string;
      /** @description Signature of the other fields. */
      Token: string;
      [key: string]: unknown;
    };
    Tokens: {
      access_token: string;
      /** @enum {string} */
      token_type: "bearer";
      /** @description Lifetime of the access token in seconds. */
      expires_in: number;
      refresh_token: string;
      sign_in_methods: components["schemas"]["SignInMethod"][];
    };
    Tour: {
      /** Format: uuid */
      id: string;
      name: string;
      city: string;
      description: string;
      /** @enum {string} */
      activity: "ski" | "freeride" | "snowmobile" | "snowshoe" | "hike" | "sightseeing" | "other";
      /** @enum {string} */
      difficulty: "easy" | "moderate" | "hard" | "expert";
      languages: string[];
      images: {
          /** Format: uri */
          url: string;
          is_main: boolean;
        }[];
      meeting_point: string;
      location: {
        latitude: number;
        longitude: number;
      };
      duration_minutes: number;
      seats: number;
      price_per_person: number;
      price_per_person_minor: number;
      schedule: ({
          /** Format: date */
          from: string;
          /** Format: date */
          to: string;
          weekdays: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
          time: string;
        })[];
      closed_dates: string[];
      /** @enum {string} */
      cancellation_policy: "flexible" | "moderate" | "strict" | "non_refundable";
      /**
       * @description `instant`: a paid booking is certain. `on_request`: the seller confirms or rejects it, until `answer_by` of the booking.
       * @enum {string}
       */
      confirmation: "instant" | "on_request";
      /** @description Whether a guest may book this although they have another booking of the same kind at the same time, for others. Otherwise that is refused (409 `overlapping_booking`). */
      allow_overlapping: boolean;
      /** @description IANA name. All times of the listing are in this zone. */
      timezone: string;
      currency: string;
      min_price: number | null;
      /** @description The lowest price; null without a price. */
      min_price_minor: number | null;
      distance_km: number | null;
      rating: number | null;
      reviews_count: number;
      /** @description Whether it is a favourite of the caller. Absent for those who are not signed in. */
      is_favorite?: boolean;
    };
    TourUpdate: {
      name?: string;
      city?: string;
      description?: string;
      /** @enum {string} */
      activity?: "ski" | "freeride" | "snowmobile" | "snowshoe" | "hike" | "sightseeing" | "other";
      /** @enum {string} */
      difficulty?: "easy" | "moderate" | "hard" | "expert";
      languages?: string[];
      /** @description Each has either `url` or `file_id`. At most one is the main one. */
      images?: {
          /**
           * Format: uri
           * @description Of a picture that is elsewhere, or as a reply has it.
           */
          url?: string;
          /**
           * Format: uuid
           * @description Of a picture that was uploaded to the folder `listings`.
           */
          file_id?: string;
          is_main: boolean;
        }[];
      meeting_point?: string;
      location?: {
        latitude: number;
        longitude: number;
      };
      duration_minutes?: number;
      seats?: number;
      price_per_person?: number;
      schedule?: ({
          /** Format: date */
          from: string;
          /** Format: date */
          to: string;
          weekdays: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
          time: string;
        })[];
      closed_dates?: string[];
      /** @enum {string} */
      cancellation_policy?: "flexible" | "moderate" | "strict" | "non_refundable";
      /**
       * @description `instant`: a paid booking is certain. `on_request`: the seller confirms or rejects it, until `answer_by` of the booking.
       * @enum {string}
       */
      confirmation?: "instant" | "on_request";
      /** @description Whether a guest may book this although they have another booking of the same kind at the same time, for others. Otherwise that is refused (409 `overlapping_booking`). */
      allow_overlapping?: boolean;
      /**
       * @description A `closed` listing is not listed and cannot be booked.
       * @enum {string}
       */
      status?: "closed" | "published";
    };
    TrackPoint: {
      /** @description Counts the fixes of a session on the device. */
      seq: number;
      /**
       * Format: date-time
       * @description When the device was there: the time of the fix.
       */
      t: string;
      /** @description Degrees, WGS 84. */
      lat: number;
      /** @description Degrees, WGS 84. */
      lon: number;
      /** @description Metres; null, missing or exactly 0: the device does not know. */
      alt?: number | null;
      /** @description Horizontal accuracy in metres; negative: the device does not know. */
      acc: number;
      /** @description Metres a second; negative: the device does not know. */
      speed?: number | null;
      /** @description Whether the device says that the position is simulated. */
      mock?: boolean;
    };
    TrackReview: {
      /** Format: uuid */
      session_id: string;
      /** Format: uuid */
      account_id: string;
      /** Format: date */
      day: string;
      /** @enum {string} */
      status: "set_aside" | "disqualified" | "released";
      suspicions: ({
          /** @enum {string} */
          kind: "impossible_speed" | "impossible_vertical" | "impossible_distance" | "mock_location" | "same_track" | "overlap";
          /** Format: uuid */
          other_session_id?: string;
        })[];
      reason: string | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
      session: components["schemas"]["TrackingSession"] | null;
    };
    TrackShare: {
      /** Format: uuid */
      session_id: string;
      /** Format: uuid */
      account_id: string;
      /** @description `Anna O.` */
      name: string;
      /** Format: date-time */
      shared_at: string;
      /** Format: date-time */
      expires_at: string;
    };
    TrackStanding: {
      /** @description Whether it counts for leaderboards and badges. */
      counts: boolean;
      status: ("set_aside" | "disqualified" | "released") | null;
      reason: string | null;
    };
    TrackingSession: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      status: "open" | "finished";
      /** Format: date-time */
      started_at: string;
      /** Format: date */
      day: string;
      finished_at: string | null;
      ending: ("finished" | "abandoned") | null;
      accepts_points_until: string | null;
      summary: {
        points: number;
        distance_m: number;
        vertical_m: number;
        ascent_m: number;
        runs: number;
        lifts: number;
        moving_s: number;
        max_speed_kmh: number;
      } | null;
      adds: {
        points: number;
        distance_m: number;
        vertical_m: number;
        ascent_m: number;
        runs: number;
        lifts: number;
        moving_s: number;
        max_speed_kmh: number;
      } | null;
    };
    TrackingStats: {
      /** Format: date */
      starts_on: string;
      /** Format: date */
      ends_on: string;
      days: number;
      sessions: number;
      /** @description `false`: at least one day was counted by a device, without points to check it by. */
      verified: boolean;
      distance_m: number;
      vertical_m: number;
      ascent_m: number;
      runs: number;
      lifts: number;
      moving_s: number;
      max_speed_kmh: number;
    };
    TrackingTarget: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      metric: "vertical" | "distance" | "runs" | "days";
      /** @enum {string} */
      period: "week" | "season";
      /** @description Metres; a number of runs or days. */
      value: number;
      /**
       * Format: date
       * @description First day of the current week or season.
       */
      starts_on: string;
      /** Format: date */
      ends_on: string;
      /** @description In the unit of `value`, in the current period. */
      reached: number;
      /** @description Rounded down: 100 is reached. */
      progress_pct: number;
    };
    Transfer: {
      /** Format: uuid */
      id: string;
      name: string;
      city: string;
      description: string;
      origin: {
        name: string;
        location: {
          latitude: number;
          longitude: number;
        };
      };
      destination: {
        name: string;
        location: {
          latitude: number;
          longitude: number;
        };
      };
      images: {
          /** Format: uri */
          url: string;
          is_main: boolean;
        }[];
      length_km: number;
      duration_minutes: number;
      turnaround_minutes: number;
      service_hours: ({
          weekdays: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
          from: string;
          to: string;
        })[];
      closed_dates: string[];
      vehicles: ({
          /** Format: uuid */
          id: string;
          name: string;
          /** @enum {string} */
          class: "economy" | "comfort" | "business" | "minivan" | "minibus" | "bus" | "offroad";
          seats: number;
          luggage: number;
          units: number;
          price: number;
          price_minor: number;
        })[];
      /** @enum {string} */
      cancellation_policy: "flexible" | "moderate" | "strict" | "non_refundable";
      /**
       * @description `instant`: a paid booking is certain. `on_request`: the seller confirms or rejects it, until `answer_by` of the booking.
       * @enum {string}
       */
      confirmation: "instant" | "on_request";
      /** @description IANA name. All times of the listing are in this zone. */
      timezone: string;
      currency: string;
      min_price: number | null;
      /** @description The lowest price; null without a price. */
      min_price_minor: number | null;
      distance_km: number | null;
      rating: number | null;
      reviews_count: number;
      /** @description Whether it is a favourite of the caller. Absent for those who are not signed in. */
      is_favorite?: boolean;
    };
    TransferUpdate: {
      name?: string;
      city?: string;
      description?: string;
      origin?: {
        name: string;
        location: {
          latitude: number;
          longitude: number;
        };
      };
      destination?: {
        name: string;
        location: {
          latitude: number;
          longitude: number;
        };
      };
      /** @description Each has either `url` or `file_id`. At most one is the main one. */
      images?: {
          /**
           * Format: uri
           * @description Of a picture that is elsewhere, or as a reply has it.
           */
          url?: string;
          /**
           * Format: uuid
           * @description Of a picture that was uploaded to the folder `listings`.
           */
          file_id?: string;
          is_main: boolean;
        }[];
      length_km?: number;
      duration_minutes?: number;
      turnaround_minutes?: number;
      service_hours?: ({
          weekdays: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
          from: string;
          to: string;
        })[];
      closed_dates?: string[];
      vehicles?: ({
          /**
           * Format: uuid
           * @description Of an existing one; a new one gets its id from the server.
           */
          id?: string;
          name: string;
          /** @enum {string} */
          class: "economy" | "comfort" | "business" | "minivan" | "minibus" | "bus" | "offroad";
          seats: number;
          luggage: number;
          units: number;
          price: number;
        })[];
      /** @enum {string} */
      cancellation_policy?: "flexible" | "moderate" | "strict" | "non_refundable";
      /**
       * @description `instant`: a paid booking is certain. `on_request`: the seller confirms or rejects it, until `answer_by` of the booking.
       * @enum {string}
       */
      confirmation?: "instant" | "on_request";
      /**
       * @description A `closed` listing is not listed and cannot be booked.
       * @enum {string}
       */
      status?: "closed" | "published";
    };
    Trip: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      user_id: string;
      notes: string | null;
      currency: string;
      total_minor: number;
      /** Format: date-time */
      created_at: string;
      total: number;
      due: number;
      due_minor: number;
      bookings: components["schemas"]["Booking"][];
    };
    TurnCredentials: {
      /** @description `<expiry>:<user>`, the expiry in seconds since 1970. */
      username: string;
      credential: string;
      /** @description How long they are valid, in seconds. */
      ttl: number;
      urls: string[];
    };
    TypicalWait: {
      /** @enum {string} */
      weekday: "sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat";
      /** @description When the quarter of an hour begins, in the time of the resort. */
      from: string;
      /** @description The mean of the days. */
      minutes: number;
      /** @description On how many days something was reported. */
      days: number;
    };
    UndeliverableMail: {
      /** Format: uuid */
      account_id: string;
      /** @description The e-mail that was refused and is kept; null: it is the address that gets no e-mails. */
      mail_id: string | null;
      /**
       * @description Of an address: `refused` by the mail server, because there is no such mailbox, `bounced` later, or `complained`: its reader called an e-mail spam. Of an e-mail: `unsupported`: the server cannot send to such an address (SMTPUTF8), `full`: the mailbox takes nothing more, `blocked`: the server does not want the e-mail, or none of this system.
       * @enum {string}
       */
      cause: "refused" | "bounced" | "complained" | "unsupported" | "full" | "blocked";
      /** @description The reply code of the mail server; null where it is not known. */
      code: number | null;
      /** @description The words of the mail server about an e-mail, with `<address>` for every address in them. */
      reply: string | null;
      /** Format: date-time */
      at: string;
    };
    UnknownVoiceReport: {
      /** Format: uuid */
      id: string;
      event: string;
      room: string;
      egress_id: string | null;
      /** @description How often it was reported. */
      times: number;
      /** Format: date-time */
      first_at: string;
      /** Format: date-time */
      last_at: string;
    };
    UploadedPoints: {
      accepted: number;
      duplicates: number;
      rejected: components["schemas"]["RejectedItem"][];
    };
    User: {
      /** Format: uuid */
      id: string;
      email: string | null;
      phone: string | null;
      /** @enum {string} */
      role: "tourist" | "hotelier" | "tour_operator" | "transfer_provider" | "instructor" | "restaurant" | "admin";
      first_name: string;
      last_name: string;
      language: string;
    };
    VoiceEvent: {
      event: string;
      id: string;
      [key: string]: unknown;
    };
    VoiceRecording: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      topic_id: string;
      /** @enum {string} */
      status: "starting" | "recording" | "stopping" | "ended" | "failed" | "expired" | "removed";
      /** Format: uuid */
      requested_by: string;
      /** Format: date-time */
      requested_at: string;
      started_at: string | null;
      ended_at: string | null;
      recording_duration_s: number | null;
      failure: ("refused" | "not_started" | "empty" | "server_failed" | "lost") | null;
      egress_id: string | null;
      recording_url: string | null;
      removal_reason: string | null;
    };
    VoiceRecordingReport: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      reporter_id: string;
      /** @description What is reported: `message`, `review` and so on. */
      subject_kind: string;
      /** Format: uuid */
      subject_id: string;
      within_id: string | null;
      reason: string;
      /** @enum {string} */
      status: "open" | "resolved";
      action: ("dismissed" | "removed") | null;
      resolved_by: string | null;
      resolved_at: string | null;
      /** Format: date-time */
      created_at: string;
      /** @description What it said each time it was reported, whatever its author has done since, until 30 days after the last report or appeal about it was answered; then empty. */
      reported_texts: {
          text: string;
          /** Format: date-time */
          kept_at: string;
        }[];
      /** @description What is reported; null: it does not exist any more. */
      content: components["schemas"]["VoiceRecording"] | null;
    };
    VoiceRoom: {
      /** Format: uuid */
      topic_id: string;
      opened_by: string | null;
      recording_id: string | null;
      /** @description Whether it is recorded now. A recording that starts is not yet. */
      is_recording: boolean;
      participants: {
          connection_id: string;
          /** Format: uuid */
          account_id: string;
          /** Format: date-time */
          joined_at: string;
        }[];
      egress_id: string | null;
      recording_url: string | null;
      recording_duration_s: number | null;
    };
    VoiceToken: {
      token: string;
      /** @description Where to connect with it. */
      url: string;
      /** @description Of this device: `<account>:<session>`. */
      identity: string;
      /** @description false: only listens. */
      can_publish: boolean;
      /** @description Whether this person can record the room while they are in it. */
      can_record: boolean;
      /** Format: date-time */
      expires_at: string;
    };
    WebPushKey: {
      public_key: string;
    };
    WebPushSubscription: {
      /** Format: uri */
      endpoint: string;
      keys: {
        p256dh: string;
        auth: string;
      };
      expirationTime?: number | null;
      app_version?: string;
      /** @description Of the app; otherwise that of the account. */
      language?: string;
    };
    WebcamMarked: {
      /** Format: uuid */
      id: string;
      name: string;
      description: string;
      longitude: number | null;
      latitude: number | null;
      /** Format: date-time */
      updated_at: string;
      snapshot_path: string;
      /** @description Whether it is a favourite of the caller. Absent for those who are not signed in. */
      is_favorite?: boolean;
    };
    WrittenBadge: {
      /** Format: uuid */
      id: string;
      name: {
        ru: string;
        en: string;
      };
      description: {
        ru: string;
        en: string;
      };
      /** @enum {string} */
      metric: "sessions" | "vertical" | "distance" | "runs" | "days" | "passes" | "bookings" | "reviews" | "friends";
      /** @description Metres, or a number. */
      threshold: number;
      /**
       * @description All of it must happen in one day, ISO week, month or season; or ever.
       * @enum {string}
       */
      window: "day" | "week" | "month" | "season" | "ever";
      season: number | null;
      qualifying: number;
    };
    YookassaNotification: {
      /** @constant */
      type: "notification";
      event: string;
      object: {
        id: string;
        [key: string]: unknown;
      };
      [key: string]: unknown;
    };
    $operations: {
      /** @description Check the health of the service. Each service also answers at `/api/v1/{service}/health`. */
      getHealth: {
        reply: components["schemas"]["Health"];
      };
      /** @description Check whether the service takes requests. 503 while no requests should be sent to this process, also while it stops. */
      getReady: {
        reply: components["schemas"]["Health"];
      };
      /** @description Sign in with a password. The answer to wrong data does not reveal whether the account exists. After 5 failures in 15 minutes for one identifier from one address, further attempts from there are refused and `Retry-After` says when to try again. After 20 failures in an hour for one identifier from all addresses, the answer is delayed by up to 30 s. A request with the `device_token` of an earlier sign-in to the account has only limits of its own. An `Idempotency-Key` is accepted and has no effect: it begins a session, and a repeat begins another. */
      signIn: {
        input: {
          /** @description E-mail address or phone number. */
          identifier: string;
          password: string;
          /** @description `device_token` of an earlier sign-in. An invalid one is ignored. */
          device_token?: string;
        };
        reply: components["schemas"]["SignedIn"];
      };
      /** @description Refresh an access token. With `rotate`, the reply also has a new refresh token and the old one becomes invalid. If the old one is used again, the session ends. An `Idempotency-Key` is accepted and has no effect: a refresh token tells a repeat from a theft by itself. */
      refreshTokens: {
        input: {
          refresh_token: string;
          /** @default false */
          rotate?: boolean;
        };
        reply: {
          access_token: string;
          /** @enum {string} */
          token_type: "bearer";
          /** @description Lifetime of the access token in seconds. */
          expires_in: number;
          refresh_token?: string;
        };
      };
      /** @description Confirm your identity. Needs the `password`, or the `code` that `POST /auth/sms/send-code` sent to the phone of the account. Operations that require a fresh proof accept this session for the next 5 minutes. Without a password and a phone, sign in again instead. An `Idempotency-Key` is accepted and has no effect: a repeat confirms once more. */
      confirmIdentity: {
        input: {
          password?: string;
          code?: string;
        };
        reply: components["schemas"]["IdentityConfirmed"];
      };
      /** @description Sign out. Ends all sessions of the caller, or only this one with `scope=session`. Access and refresh tokens become invalid at once, and open WebSocket connections are closed. An `Idempotency-Key` is accepted and has no effect: it ends the session that it is sent with, so that a repeat gets 401. */
      signOut: {
        input: {
          /**
           * @default all
           * @enum {string}
           */
          scope?: "all" | "session";
        };
      };
      /** @description Send a one-time code by SMS. The code has six digits and is valid for 5 minutes and 5 attempts. Another code can be sent after 60 s, then after 120 s, at most 3 in 10 minutes and 10 a day; there are also limits for each address and in all. The reply does not reveal whether the account exists. An `Idempotency-Key` is accepted and has no effect: a repeat sends another code, within the limits. */
      sendSmsCode: {
        input: {
          /** @description With the country code, as it is written or copied anywhere: it is stored in E.164. A number that no country has is 422. */
          phone: string;
          /** @description `device_token` of an earlier sign-in. An invalid one is ignored. */
          device_token?: string;
        };
        reply: components["schemas"]["SmsCodeStatus"];
      };
      /** @description Get the status of an SMS code */
      getSmsCodeStatus: {
        input: {
          /** Format: uuid */
          request_id: string;
        };
        reply: components["schemas"]["SmsCodeStatus"];
      };
      /** @description Sign in with an SMS code. Creates a tourist account if the number has none; `created` is then true. An `Idempotency-Key` is accepted and has no effect: a code works once; ask for another after a lost reply. */
      verifySmsCode: {
        input: {
          /** @description With the country code, as it is written or copied anywhere: it is stored in E.164. A number that no country has is 422. */
          phone: string;
          code: string;
          /** @description `device_token` of an earlier sign-in. An invalid one is ignored. */
          device_token?: string;
        };
        reply: {
          access_token: string;
          /** @enum {string} */
          token_type: "bearer";
          /** @description Lifetime of the access token in seconds. */
          expires_in: number;
          refresh_token: string;
          /** @description Send it with later sign-ins from this device: failed attempts of others then never delay or refuse them. */
          device_token: string;
          user: components["schemas"]["User"];
          created: boolean;
        };
      };
      /** @description Complete a sign-in with an identity provider. The reply is that of `POST /auth/login`. A known identity signs in to its account. An unknown identity is linked to the tourist account that has verified the same e-mail address, if the provider has verified it, too; otherwise a new tourist account is created with the address, which another account loses that had not verified it. An account with another role is never opened by the word of a provider: 403 `sign_in_to_link`, until its holder signs in and adds the provider (`POST /api/v1/me/sign-in-methods`). Unverified addresses are not stored; addresses with characters that can be taken for others are refused with 422. When the provider or a store does not respond, the answer is 409 `start_again`: `code` and `state` are used up, so that the same request cannot succeed. */
      completeOAuthSignIn: {
        input: {
          provider: string;
          code?: string;
          state?: string;
          error?: string;
        };
        reply: components["schemas"]["SignedIn"];
      };
      /** @description Update the current user. Fields that are left out keep their values. null removes a value. A new phone number needs `phone_code`, the code that `POST /auth/sms/send-code` sent to it, because the number can be used to sign in. A new e-mail address with `email_code`, the code that `POST /auth/email/send-code` sent to it, is verified at once, and is taken from an account that has entered the address and not proved it: that one is told, and its sessions stay. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes to change `email` or `phone`. */
      updateCurrentUser: {
        input: {
          first_name?: string;
          last_name?: string;
          language?: string;
          email?: string | null;
          email_code?: string;
          phone?: string | null;
          phone_code?: string;
        };
        reply: components["schemas"]["User"];
      };
      /** @description Change the password. Needs `current_password`, or a `phone_code` sent to the phone of the account; without a password and a phone, a sign-in within the last 5 minutes. All earlier tokens become invalid; the reply has the tokens of a new session. After somebody else was in the account, `unlink_providers` also ends every identity provider that they may have added. `sign_in_methods` of the reply are the ways to sign in that are left, each of which `DELETE /api/v1/me/sign-in-methods/{id}` removes. An `Idempotency-Key` is accepted and has no effect: it ends the session that it is sent with; sign in with the new password after a lost reply. */
      changePassword: {
        input: {
          current_password?: string;
          phone_code?: string;
          new_password: string;
          /**
           * @description Identity providers no longer sign in to this account.
           * @default false
           */
          unlink_providers?: boolean;
        };
        reply: components["schemas"]["Tokens"];
      };
      /** @description Create an account. Any role is possible. The account needs a phone number, or an e-mail address and a password. The phone number counts as verified. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      createAccount: {
        input: components["schemas"]["NewAccount"];
        reply: components["schemas"]["User"];
      };
      /** @description List accounts. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      listAccounts: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          role?: "tourist" | "hotelier" | "tour_operator" | "transfer_provider" | "instructor" | "restaurant" | "admin" | "restaurateur";
        };
        reply: {
          data: components["schemas"]["Account"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Change the role of an account. Takes effect at once: access tokens of the former role are refused, and the next refresh gives one of the new role. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      setAccountRole: {
        input: {
          /** Format: uuid */
          id: string;
        } & ({
          /** @enum {string} */
          role: "tourist" | "hotelier" | "tour_operator" | "transfer_provider" | "instructor" | "restaurant" | "admin" | "restaurateur";
        });
        reply: components["schemas"]["User"];
      };
      /** @description List your ways to sign in. Oldest first. After somebody else was in your account, look for what you have not added. */
      listSignInMethods: {
        reply: components["schemas"]["SignInMethods"];
      };
      /** @description Link an identity provider. Completes what `POST /api/v1/me/sign-in-methods/links` began. From then on the identity signs in to this account. The reply has all ways to sign in. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      linkProvider: {
        input: {
          provider: string;
          /** @description The query with which the provider sent the browser back, each parameter as a field. */
          answer: {
            state?: string;
            code?: string;
            error?: string;
            [key: string]: string | undefined;
          };
        };
        reply: components["schemas"]["SignInMethods"];
      };
      /** @description Start to link an identity provider. Send the browser to `authorization_url`. The provider redirects it to `return_url`, which gives the query that it gets to `POST /api/v1/me/sign-in-methods`. Each start is valid once, for 10 minutes, and for this account only. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      startLinkingProvider: {
        input: {
          provider: string;
          /** @description A page of the app that is registered with the provider, at one of the allowed origins (`PAYMENT_RETURN_URLS`), without query and fragment. */
          return_url?: string;
        };
        reply: {
          authorization_url: string;
          /** @description Seconds for which this start is valid. */
          expires_in: number;
        };
      };
      /** @description Remove a way to sign in. The password, the phone, the e-mail address or an identity at a provider. Sessions stay: `POST /auth/logout` ends them. The last way in is refused with 409 `last_way_in`. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      removeSignInMethod: {
        input: {
          id: string;
        };
      };
      /** @description Request a selling role. A user can have one pending request. `documents` are URLs that admins can open. */
      createRoleRequest: {
        input: components["schemas"]["NewRoleRequest"];
        reply: components["schemas"]["RoleRequest"];
      };
      /** @description List own role requests */
      listOwnRoleRequests: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          status?: "pending" | "approved" | "rejected" | "withdrawn";
        };
        reply: {
          data: components["schemas"]["RoleRequest"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Withdraw your pending role request */
      withdrawRoleRequest: Record<string, never>;
      /** @description List role requests. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      listRoleRequests: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          status?: "pending" | "approved" | "rejected" | "withdrawn";
        };
        reply: {
          data: components["schemas"]["RoleRequest"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Approve a role request. The new role takes effect with the next access token of the user, within an hour. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      approveRoleRequest: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["RoleRequest"];
      };
      /** @description Reject a role request. The user sees the reason. */
      rejectRoleRequest: {
        input: {
          /** Format: uuid */
          id: string;
        } & {
          reason: string;
        };
        reply: components["schemas"]["RoleRequest"];
      };
      /** @description Get the current user */
      getCurrentUser: {
        reply: components["schemas"]["CurrentUser"];
      };
      /** @description Send a code to your e-mail address. Proves the address that was entered into the profile: only then e-mails are sent to it. With `email`, the code goes to another address, and is then given as `email_code` of `PUT /api/v1/users/me`: so you get an address that another account has entered and not proved. The code has six digits and is valid for 5 minutes and 5 attempts. Another one can be sent after 60 s, then after 120 s, at most 3 in 10 minutes and 10 a day. */
      sendEmailCode: {
        input: {
          email?: string;
        };
        reply: components["schemas"]["EmailCodeStatus"];
      };
      /** @description Verify your e-mail address. Needs the code that was sent to the current address. Changes nothing when it is verified already. */
      verifyEmail: {
        input: {
          code: string;
        };
        reply: components["schemas"]["EmailVerification"];
      };
      /** @description Give or withdraw a consent. Recorded with the time, the address and the user agent. A withdrawal works at once and always succeeds. A consent to a version that is not in force any more is refused: show the current text, then ask again. */
      answerConsent: {
        input: components["schemas"]["ConsentAnswer"];
        reply: {
          /** @enum {string} */
          purpose: "data_processing" | "marketing" | "analytics" | "recommendations";
          policy_version: string;
          granted: boolean;
          /** Format: date-time */
          at: string;
        };
      };
      /** @description List own consents. `consents` is where you stand on each purpose, `data` the history of your answers, newest first. */
      listConsents: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          consents: components["schemas"]["Consent"][];
          data: components["schemas"]["ConsentRecord"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description List the policies in force */
      listConsentPolicies: {
        reply: {
          data: components["schemas"]["ConsentPolicy"][];
        };
      };
      /** @description Publish a version of a policy. Everybody is asked again: until they answer, they count as not having consented. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      publishConsentPolicy: {
        input: ({
          /** @enum {string} */
          purpose: "data_processing" | "marketing" | "analytics" | "recommendations";
        }) & ({
          policy_version: string;
          url?: string | null;
        });
        reply: components["schemas"]["ConsentPolicy"];
      };
      /** @description Get the configuration of the apps. The same for everybody. The channel `platform` tells when to fetch it again. Versions under `platforms` are complete: what a platform does not have of its own is the one beside. */
      getPlatformConfig: {
        reply: components["schemas"]["AppConfig"];
      };
      /** @description Change the configuration of the apps. A JSON Merge Patch (RFC 7396): what is left out stays, null removes, a member that must exist goes back to its default. `reason` is no member: it is kept in the history. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      updatePlatformConfig: {
        input: components["schemas"]["PlatformConfigPatch"];
        reply: components["schemas"]["AppConfig"];
      };
      /** @description List the revisions of the configuration. Newest first, each as a whole, with who changed it and why. */
      listPlatformConfigRevisions: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["PlatformConfigRevision"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Return to an earlier revision of the configuration. It becomes the newest revision; nothing is lost. 0 is the state before the first change. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      revertPlatformConfig: {
        input: {
          revision: number;
          reason?: string;
        };
        reply: components["schemas"]["AppConfig"];
      };
      /** @description Get the feature flags of the current user. All flags, also those that are off. The channel `platform` tells when to fetch them again. Constraints can ask for what the query says: `platform`, `app_version`, `language`. */
      getOwnFlags: {
        input: {
          /** @enum {string} */
          platform?: "ios" | "android" | "web";
          app_version?: string;
          language?: string;
        };
        reply: {
          flags: {
            [key: string]: components["schemas"]["FlagState"];
          };
        };
      };
      /** @description Switch feature flags on and off. All of them or none. Off is off for everybody, whatever the condition of the flag says; on leaves it to the condition. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      switchFlags: {
        input: {
          flags: {
            [key: string]: boolean;
          };
          reason?: string;
        };
        reply: {
          flags: {
            [key: string]: boolean;
          };
        };
      };
      /** @description List the parts of the product that the current user may open. A part is closed by the role, by the configuration, or by its flag `module.<key>` where that exists. Operations of a closed part answer 403 `module_closed`. Nothing is closed for admins. */
      listModules: {
        reply: {
          modules: ({
              key: string;
              open: boolean;
              closed_by: ("role" | "configuration" | "flag") | null;
            })[];
        };
      };
      /** @description List feature flags. By key. With `expired`, only those that should have been deleted. */
      listFlags: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          expired?: boolean;
        };
        reply: {
          data: components["schemas"]["FeatureFlag"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Create a feature flag. It is switched off unless `enabled` says otherwise. A key that begins with `module.` opens and closes a part of the product, and must name one of `GET /modules`; what it is asked for is the person and their address, never the app. All other flags are for apps, which ask for them by their keys. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      createFlag: {
        input: components["schemas"]["NewFeatureFlag"];
        reply: components["schemas"]["FeatureFlag"];
      };
      /** @description Get a feature flag */
      getFlag: {
        input: {
          key: string;
        };
        reply: components["schemas"]["FeatureFlag"];
      };
      /** @description Replace the definition of a feature flag. What is left out becomes empty, but for `enabled`: then it stays switched on or off. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      redefineFlag: {
        input: {
          key: string;
        } & components["schemas"]["FeatureFlagDefinition"];
        reply: components["schemas"]["FeatureFlag"];
      };
      /** @description Delete a feature flag. It is off from then on, because apps treat a flag that they do not know as off. Safe to repeat. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      deleteFlag: {
        input: {
          key: string;
        };
      };
      /** @description Explain why a flag is on or off for a user. The address and the session of the user are not known here; `session_id` stands for it. */
      explainFlag: {
        input: {
          key: string;
          /** Format: uuid */
          user_id: string;
          /** Format: uuid */
          session_id?: string;
          /** @enum {string} */
          platform?: "ios" | "android" | "web";
          app_version?: string;
          language?: string;
        };
        reply: components["schemas"]["FlagExplanation"];
      };
      /** @description List segments */
      listFlagSegments: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["FlagSegment"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Create a segment. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      createFlagSegment: {
        input: components["schemas"]["NewFlagSegment"];
        reply: components["schemas"]["FlagSegment"];
      };
      /** @description Replace a segment. It applies at once to all flags that use it. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      redefineFlagSegment: {
        input: {
          /** Format: uuid */
          id: string;
        } & components["schemas"]["NewFlagSegment"];
        reply: components["schemas"]["FlagSegment"];
      };
      /** @description Delete a segment. Refused while a flag uses it. Safe to repeat. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      deleteFlagSegment: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description Register a device for push messages. The app does this at every start. A token that another person had registered is that of the caller from then on. Signing out ends it. A person has at most 20 devices: the one that was seen least lately goes. */
      registerPushDevice: {
        input: components["schemas"]["NewPushDevice"];
        reply: components["schemas"]["PushDevice"];
      };
      /** @description Stop push messages to a device. That of the token, or of the address of a Web Push subscription. Without a body: those of this session. */
      unregisterPushDevice: {
        input: {
          token?: string;
        };
      };
      /** @description Register a browser for push messages. The body is the `PushSubscription` of the browser, as JSON. `GET /push/key` has the key to subscribe with. */
      subscribeToWebPush: {
        input: components["schemas"]["WebPushSubscription"];
        reply: components["schemas"]["PushDevice"];
      };
      /** @description List own devices that push messages reach */
      listPushDevices: {
        reply: {
          data: components["schemas"]["PushDevice"][];
        };
      };
      /** @description Get the key that browsers subscribe with. The `applicationServerKey` of `PushManager.subscribe`. */
      getWebPushKey: {
        reply: components["schemas"]["WebPushKey"];
      };
      /** @description Send a push message to oneself */
      testPush: {
        reply: components["schemas"]["PushTest"];
      };
      /** @description Send a push message to many people. To the devices of everybody in `segment`, who has to be named: `{}` is everybody. People who do not want messages of this kind are left out, and for `marketing` those who do not consent. With `dry_run` it is checked and counted, and nothing is sent. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      sendPush: {
        input: components["schemas"]["NewPushBroadcast"];
        reply: components["schemas"]["PushAudience"];
      };
      /** @description List push messages to many people. Newest first. */
      listPushBroadcasts: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["PushBroadcast"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Show a push message to many people and its progress */
      getPushBroadcast: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["PushBroadcast"];
      };
      /** @description List what became of a push message at each device. Kept for 30 days after it has expired. */
      listPushDeliveries: {
        input: {
          /** Format: uuid */
          id: string;
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          outcome?: "waiting" | "delivered" | "dead" | "refused" | "expired" | "gone" | "unwanted" | "cancelled";
        };
        reply: {
          data: components["schemas"]["PushDelivery"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Pause a push message to many people. What is being sent at this moment still arrives. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      pausePushBroadcast: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["PushBroadcast"];
      };
      /** @description Go on with a push message to many people. Nobody gets it twice. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      resumePushBroadcast: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["PushBroadcast"];
      };
      /** @description Cancel a push message to many people. For good: nobody else gets it. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      cancelPushBroadcast: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["PushBroadcast"];
      };
      /** @description Show the page that ends marketing e-mails. Changes nothing, because mail programs open links to check them. Its button sends the POST. */
      showUnsubscribe: {
        input: {
          token: string;
        };
        /** Format: binary */
        reply: Blob;
      };
      /** @description End marketing e-mails. One click, as RFC 8058 describes it: mail programs send it too. Withdraws the consent to marketing of the person whom the link names. The body is not read. An `Idempotency-Key` is accepted and has no effect: a repeat of a link changes nothing more. */
      unsubscribe: {
        input: {
          token: string;
        };
        /** Format: binary */
        reply: Blob;
      };
      /** @description List addresses that get no e-mails, and e-mails that were refused. Newest first. Nothing is sent to a refused address until the account has another one, or it is cleared. An e-mail that the mail server refused for a reason of its own is kept until it is sent again, for 14 days, or as long as it is of use, if that is less than half a day (codes). */
      listUndeliverableMail: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["UndeliverableMail"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Send refused e-mails again. All that are kept, or those of one account: once the reason is mended. What the mail server refuses once more is kept again. */
      sendRefusedMailAgain: {
        input: {
          /** Format: uuid */
          account_id?: string;
        };
        reply: components["schemas"]["MailsSentAgain"];
      };
      /** @description Send e-mails to a refused address again. For refusals that were a mistake. E-mails that were refused before are not sent. */
      clearUndeliverableMail: {
        input: {
          /** Format: uuid */
          account_id: string;
        };
      };
      /** @description Receive a report of the mail provider. A webhook as of Standard Webhooks: `webhook-id`, `webhook-timestamp` and `webhook-signature` sign the body with `MAIL_WEBHOOK_SECRET`. A permanent bounce or a complaint stops e-mails to the address until the account has another one, or an admin clears it. Reports about e-mails that are not ours are ignored. An `Idempotency-Key` is accepted and has no effect: a report is known by its `webhook-id`. */
      receiveMailReport: {
        input: components["schemas"]["MailReport"];
      };
      /** @description List friends on the slope. Friends who share their position with the caller, while the caller shares theirs with them. Only the last point; show its age. */
      listLiveFriends: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["LiveFriend"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Send your position. While sharing. Send it again at least every minute, also without moving: a silent device looks like one without network. An older point than the last is ignored. An `Idempotency-Key` is accepted and has no effect: only the last position is kept. */
      publishLivePosition: {
        input: components["schemas"]["NewLivePosition"];
      };
      /** @description Get whether your position is shared */
      getLiveSharing: {
        reply: components["schemas"]["LiveSharing"];
      };
      /** @description Share your position. For a quarter of an hour, an hour or eight hours from now, with all friends or with those in `with`. */
      startLiveSharing: {
        input: components["schemas"]["NewLiveSharing"];
        reply: components["schemas"]["LiveSharing"];
      };
      /** @description Stop sharing your position */
      stopLiveSharing: Record<string, never>;
      /** @description Invite a friend. By exactly one of `user_id`, `phone`, `email`. Reply, lists and limits are the same whether or not such a person exists. An address without an account waits 90 days for one. Two people who invite each other are friends at once. */
      inviteFriend: {
        input: components["schemas"]["Invitee"];
        reply: {
          /** @enum {string} */
          status: "invited";
        };
      };
      /** @description List received invitations. The newest first. */
      listFriendInvitations: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["Friendship"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Accept an invitation */
      acceptFriendInvitation: {
        input: {
          /** Format: uuid */
          user_id: string;
        };
      };
      /** @description Decline an invitation. The person is not told, and cannot invite you again until you invite them. */
      declineFriendInvitation: {
        input: {
          /** Format: uuid */
          user_id: string;
        };
      };
      /** @description List sent invitations. The newest first. Declined ones stay until they are withdrawn or expire. */
      listSentFriendInvitations: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["FriendInvitation"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Withdraw an invitation */
      withdrawFriendInvitation: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description List friends. The newest first. */
      listFriends: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["Friendship"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Remove a friend. Ends the friendship for both. No effect on somebody who is no friend. */
      removeFriend: {
        input: {
          /** Format: uuid */
          user_id: string;
        };
      };
      /** @description List blocked persons. The newest first. */
      listBlockedPersons: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["Friendship"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Block a person. Ends the friendship and withdraws your invitation. The person is not told; what they send from then on does not arrive. */
      blockPerson: {
        input: {
          /** Format: uuid */
          user_id: string;
        };
      };
      /** @description Unblock a person */
      unblockPerson: {
        input: {
          /** Format: uuid */
          user_id: string;
        };
      };
      /** @description List own appeals. The newest first. */
      listOwnAppeals: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["Appeal"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Appeal against a decision of a moderator. About something of yours that was removed or hidden, or your mute or ban. Each decision can be appealed once. */
      fileAppeal: {
        input: components["schemas"]["NewAppeal"];
        reply: components["schemas"]["FiledAppeal"];
      };
      /** @description List appeals. The oldest first. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      listAppeals: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          status?: "open" | "accepted" | "refused";
        };
        reply: {
          data: components["schemas"]["Appeal"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Answer an appeal. `accept` undoes the decision: what was removed or hidden is restored, a mute or ban is lifted. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      answerAppeal: {
        input: {
          /** Format: uuid */
          id: string;
        } & ({
          /** @enum {string} */
          action: "accept" | "refuse";
          /** @description For who has appealed. */
          answer: string;
        });
      };
      /** @description Upload a file. The type is found by the content. Kinds: `image` up to 20 MiB; `voice` up to 20 MiB and 600 s; `video` up to 50 MiB and 120 s; `document` up to 50 MiB. Folders: `chat` image, voice, video, document; `reviews` image; `listings` image (sellers only); `avatars` image; `documents` image, document; `forums` image; `stories` image, video. Pictures (JPEG, PNG, WebP, GIF, AVIF) are decoded and recordings (MP4, M4A, M4V, 3GP, 3G2, QuickTime, WebM, Matroska, Ogg, MP3, AAC, WAV) packed anew without metadata, as JPEG or WebP and in what browsers play; what would lose its animation, its sound or its picture is 415, with what to send instead. A file that nothing uses is deleted after a day. */
      uploadAttachment: {
        input: ({
          /**
           * @description What the file is for. It can be used only there.
           * @enum {string}
           */
          folder: "chat" | "reviews" | "listings" | "avatars" | "documents" | "forums" | "stories";
        }) & {
          /** Format: binary */
          file: Blob;
        };
        reply: components["schemas"]["File"];
      };
      /** @description List own files */
      listAttachments: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /**
           * @description What the file is for. It can be used only there.
           * @enum {string}
           */
          folder?: "chat" | "reviews" | "listings" | "avatars" | "documents" | "forums" | "stories";
        };
        reply: {
          data: components["schemas"]["File"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Get your file with new links */
      getAttachment: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["File"];
      };
      /** @description Delete your unused file */
      deleteAttachment: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description Read a file. Use the `url` that replies and messages show. Files of public folders need no signature once used. */
      getFile: {
        input: {
          /** Format: uuid */
          id: string;
          /** @description Of the link, seconds since 1970. */
          expires?: number;
          signature?: string;
        };
        /** Format: binary */
        reply: Blob;
      };
      /** @description Read the thumbnail of a picture. Use the `thumbnail_url` that replies and messages show. */
      getFileThumbnail: {
        input: {
          /** Format: uuid */
          id: string;
          /** @description Of the link, seconds since 1970. */
          expires?: number;
          signature?: string;
        };
        /** Format: binary */
        reply: Blob;
      };
      /** @description List hotels. With dates, only hotels with a free room are listed, and `min_price` is the price for these dates. */
      listHotels: {
        input: {
          /** @description Case does not matter. */
          city?: string;
          stars?: number;
          /** @description Lowest `min_price`, in the currency of the hotel. */
          min_price?: number;
          /** @description Highest `min_price`. */
          max_price?: number;
          /**
           * Format: date
           * @description With `check_out`: only hotels with a free room.
           */
          check_in?: string;
          /** Format: date */
          check_out?: string;
          /** @description Only hotels with a room for this many guests. */
          guests?: number;
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @description With `lon`: a location, from which `distance_km` is measured. */
          lat?: number;
          lon?: number;
          /** @description Only listings within this distance. */
          radius_km?: number;
          /** @description Full-text search by words or beginnings of words. */
          q?: string;
          /**
           * @default name
           * @enum {string}
           */
          sort?: "name" | "price" | "-price" | "stars" | "-stars" | "distance" | "rating";
        };
        reply: {
          data: components["schemas"]["FoundHotel"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Create a hotel */
      createHotel: {
        input: components["schemas"]["NewHotel"];
        reply: components["schemas"]["EditedHotel"];
      };
      /** @description Get a hotel with its rooms. With dates, `availability` has the offer of each room. For `If-Match`, only changes of the hotel itself count, not those of its rooms. */
      getHotel: {
        input: {
          /** Format: uuid */
          id: string;
          /**
           * Format: date
           * @description With `check_out`: the dates of a stay.
           */
          check_in?: string;
          /** Format: date */
          check_out?: string;
          /** @default 1 */
          guests?: number;
        };
        reply: components["schemas"]["HotelWithRooms"];
      };
      /** @description Update a hotel. Fields that are left out keep their values. The time zone and the currency cannot be changed. Lowering a capacity does not cancel existing bookings. */
      updateHotel: {
        input: {
          /** Format: uuid */
          id: string;
        } & components["schemas"]["HotelUpdate"];
        reply: components["schemas"]["EditedHotel"];
      };
      /** @description Close a hotel. It is no longer listed and cannot be booked. Existing bookings stay valid. Reopen it with `PATCH` and `status: published`. */
      closeHotel: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description List own hotels. Includes closed ones. */
      listOwnHotels: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["OwnHotel"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Create a room type. `price_per_night` is the price of nights without one of their own, and sells them; 0 does not: then each night needs a price. `PUT /rooms/{id}/nights` sets the prices and rules of nights. */
      createRoom: {
        input: {
          /** Format: uuid */
          id: string;
        } & components["schemas"]["NewRoom"];
        reply: components["schemas"]["EditedRoom"];
      };
      /** @description Update a room type. Fields that are left out keep their values. Lowering `units` does not cancel existing bookings. `price_per_night` changes the price of nights without one of their own. In rooms that were added before this release, such nights are not for sale until it is sent, also when it stays the same. */
      updateRoom: {
        input: {
          /** Format: uuid */
          id: string;
        } & components["schemas"]["RoomUpdate"];
        reply: components["schemas"]["EditedRoom"];
      };
      /** @description Set prices and rules of nights. A range covers the nights from `from` until before `to`, or only the given weekdays. Values that are left out stay as they are, null removes a value, and later ranges override earlier ones. All ranges are applied, or none. The reply has every night between the first and the last date. */
      setRoomNights: {
        input: {
          /** Format: uuid */
          id: string;
        } & {
          ranges: components["schemas"]["NightRange"][];
        };
        reply: {
          /** Format: uuid */
          room_id: string;
          currency: string;
          nights: components["schemas"]["Night"][];
        };
      };
      /** @description List tours */
      listTours: {
        input: {
          /** @description Full-text search by words or beginnings of words. */
          q?: string;
          /** @description Case does not matter. */
          city?: string;
          /**
           * Format: uuid
           * @description Only listings of the owner of this company.
           */
          company_id?: string;
          /** @description With `lon`: a location, from which `distance_km` is measured. */
          lat?: number;
          lon?: number;
          /** @description Only listings within this distance. */
          radius_km?: number;
          /** @description Lowest `min_price`, in the currency of the listing. */
          min_price?: number;
          /** @description Highest `min_price`. */
          max_price?: number;
          /**
           * @description Only tours with this activity.
           * @enum {string}
           */
          activity?: "ski" | "freeride" | "snowmobile" | "snowshoe" | "hike" | "sightseeing" | "other";
          /**
           * @description Only tours of this difficulty.
           * @enum {string}
           */
          difficulty?: "easy" | "moderate" | "hard" | "expert";
          /** @description Only tours with a guide who speaks this language. */
          language?: string;
          /**
           * Format: date
           * @description Only tours that depart on this date.
           */
          date?: string;
          /** @description Only tours with at least this number of seats. */
          guests?: number;
          /**
           * @default name
           * @enum {string}
           */
          sort?: "name" | "price" | "-price" | "distance" | "rating";
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["Tour"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Create a tour */
      createTour: {
        input: components["schemas"]["NewTour"];
        reply: components["schemas"]["EditedTour"];
      };
      /** @description Get a tour */
      getTour: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["Tour"];
      };
      /** @description Update a tour. Fields that are left out keep their values. The time zone and the currency cannot be changed. Lowering a capacity does not cancel existing bookings. Times with bookings ahead must stay: otherwise 409 `bookings_ahead` with `ids` and `ahead` (`id`, `name`, `bookings`, `until`, `starts`, `booking_ids`). `closed_dates` takes single dates out of sale. */
      updateTour: {
        input: {
          /** Format: uuid */
          id: string;
        } & components["schemas"]["TourUpdate"];
        reply: components["schemas"]["EditedTour"];
      };
      /** @description Close a tour. It is no longer listed and cannot be booked. Existing bookings stay valid. Reopen it with `PATCH` and `status: published`. */
      closeTour: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description List own tours. Includes closed ones. */
      listOwnTours: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["OwnTour"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description List restaurants */
      listRestaurants: {
        input: {
          /** @description Full-text search by words or beginnings of words. */
          q?: string;
          /** @description Case does not matter. */
          city?: string;
          /**
           * Format: uuid
           * @description Only listings of the owner of this company.
           */
          company_id?: string;
          /** @description With `lon`: a location, from which `distance_km` is measured. */
          lat?: number;
          lon?: number;
          /** @description Only listings within this distance. */
          radius_km?: number;
          /** @description Lowest `min_price`, in the currency of the listing. */
          min_price?: number;
          /** @description Highest `min_price`. */
          max_price?: number;
          /** @description Only restaurants with this cuisine. Case does not matter. */
          cuisine?: string;
          /** @description Only restaurants with a table for this number of guests. */
          guests?: number;
          /**
           * @default name
           * @enum {string}
           */
          sort?: "name" | "price" | "-price" | "distance" | "rating";
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["Restaurant"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Create a restaurant */
      createRestaurant: {
        input: components["schemas"]["NewRestaurant"];
        reply: components["schemas"]["EditedRestaurant"];
      };
      /** @description Get a restaurant */
      getRestaurant: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["Restaurant"];
      };
      /** @description Update a restaurant. Fields that are left out keep their values. The time zone and the currency cannot be changed. Lowering a capacity does not cancel existing bookings. Times and tables with bookings ahead must stay, tables with their id: otherwise 409 `bookings_ahead` with `ids` and `ahead` (`id`, `name`, `bookings`, `until`, `starts`, `booking_ids`). `closed_dates` takes single dates out of sale. */
      updateRestaurant: {
        input: {
          /** Format: uuid */
          id: string;
        } & components["schemas"]["RestaurantUpdate"];
        reply: components["schemas"]["EditedRestaurant"];
      };
      /** @description Close a restaurant. It is no longer listed and cannot be booked. Existing bookings stay valid. Reopen it with `PATCH` and `status: published`. */
      closeRestaurant: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description List own restaurants. Includes closed ones. */
      listOwnRestaurants: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["OwnRestaurant"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description List transfers */
      listTransfers: {
        input: {
          /** @description Full-text search by words or beginnings of words. */
          q?: string;
          /** @description Case does not matter. */
          city?: string;
          /**
           * Format: uuid
           * @description Only listings of the owner of this company.
           */
          company_id?: string;
          /** @description With `lon`: a location, from which `distance_km` is measured. */
          lat?: number;
          lon?: number;
          /** @description Only listings within this distance. */
          radius_km?: number;
          /** @description Lowest `min_price`, in the currency of the listing. */
          min_price?: number;
          /** @description Highest `min_price`. */
          max_price?: number;
          /**
           * @description Only transfers with a vehicle of this class.
           * @enum {string}
           */
          vehicle_class?: "economy" | "comfort" | "business" | "minivan" | "minibus" | "bus" | "offroad";
          /** @description Only transfers with a vehicle for this number of passengers. */
          passengers?: number;
          /** @description Words in the name of the origin. */
          from?: string;
          /** @description Words in the name of the destination. */
          to?: string;
          /**
           * @default name
           * @enum {string}
           */
          sort?: "name" | "price" | "-price" | "distance" | "rating";
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["Transfer"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Get a transfer */
      getTransfer: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["Transfer"];
      };
      /** @description Update a transfer. Fields that are left out keep their values. The time zone and the currency cannot be changed. Lowering a capacity does not cancel existing bookings. Times and vehicles with bookings ahead must stay, vehicles with their id: otherwise 409 `bookings_ahead` with `ids` and `ahead` (`id`, `name`, `bookings`, `until`, `starts`, `booking_ids`). `closed_dates` takes single dates out of sale. */
      updateTransfer: {
        input: {
          /** Format: uuid */
          id: string;
        } & components["schemas"]["TransferUpdate"];
        reply: components["schemas"]["EditedTransfer"];
      };
      /** @description Close a transfer. It is no longer listed and cannot be booked. Existing bookings stay valid. Reopen it with `PATCH` and `status: published`. */
      closeTransfer: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description List own transfers. Includes closed ones. */
      listOwnTransfers: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["OwnTransfer"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Create a transfer */
      createTransfer: {
        input: components["schemas"]["NewTransfer"];
        reply: components["schemas"]["EditedTransfer"];
      };
      /** @description List instructors */
      listInstructors: {
        input: {
          /** @description Full-text search by words or beginnings of words. */
          q?: string;
          /** @description Case does not matter. */
          city?: string;
          /**
           * Format: uuid
           * @description Only listings of the owner of this company.
           */
          company_id?: string;
          /** @description With `lon`: a location, from which `distance_km` is measured. */
          lat?: number;
          lon?: number;
          /** @description Only listings within this distance. */
          radius_km?: number;
          /** @description Lowest `min_price`, in the currency of the listing. */
          min_price?: number;
          /** @description Highest `min_price`. */
          max_price?: number;
          /**
           * @description Only instructors who teach this discipline.
           * @enum {string}
           */
          discipline?: "ski" | "snowboard" | "freeride" | "cross_country" | "telemark";
          /**
           * @description Only instructors who teach this level.
           * @enum {string}
           */
          level?: "beginner" | "intermediate" | "advanced" | "expert" | "kids";
          /** @description Only instructors who speak this language. */
          language?: string;
          /** @description Only instructors who teach groups of this size. */
          guests?: number;
          /**
           * @default name
           * @enum {string}
           */
          sort?: "name" | "price" | "-price" | "distance" | "rating";
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["Instructor"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Create an instructor */
      createInstructor: {
        input: components["schemas"]["NewInstructor"];
        reply: components["schemas"]["EditedInstructor"];
      };
      /** @description Get an instructor */
      getInstructor: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["Instructor"];
      };
      /** @description Update an instructor. Fields that are left out keep their values. The time zone and the currency cannot be changed. Lowering a capacity does not cancel existing bookings. Times with bookings ahead must stay: otherwise 409 `bookings_ahead` with `ids` and `ahead` (`id`, `name`, `bookings`, `until`, `starts`, `booking_ids`). `closed_dates` takes single dates out of sale. */
      updateInstructor: {
        input: {
          /** Format: uuid */
          id: string;
        } & components["schemas"]["InstructorUpdate"];
        reply: components["schemas"]["EditedInstructor"];
      };
      /** @description Close an instructor. It is no longer listed and cannot be booked. Existing bookings stay valid. Reopen it with `PATCH` and `status: published`. */
      closeInstructor: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description List own instructors. Includes closed ones. */
      listOwnInstructors: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["OwnInstructor"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description List companies */
      listCompanies: {
        input: {
          /** @description Full-text search by words or beginnings of words. */
          q?: string;
          /** @description Case does not matter. */
          city?: string;
          /**
           * Format: uuid
           * @description Only listings of the owner of this company.
           */
          company_id?: string;
          /** @description With `lon`: a location, from which `distance_km` is measured. */
          lat?: number;
          lon?: number;
          /** @description Only listings within this distance. */
          radius_km?: number;
          /**
           * @description Only companies that sell bookings of this type.
           * @enum {string}
           */
          sells?: "hotel" | "tour" | "restaurant" | "transfer" | "instructor";
          /**
           * @default name
           * @enum {string}
           */
          sort?: "name" | "distance" | "rating";
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["Company"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Create a company */
      createCompany: {
        input: components["schemas"]["NewCompany"];
        reply: components["schemas"]["EditedCompany"];
      };
      /** @description Get a company */
      getCompany: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["Company"];
      };
      /** @description Update a company. Fields that are left out keep their values. The time zone and the currency cannot be changed. Lowering a capacity does not cancel existing bookings. */
      updateCompany: {
        input: {
          /** Format: uuid */
          id: string;
        } & components["schemas"]["CompanyUpdate"];
        reply: components["schemas"]["EditedCompany"];
      };
      /** @description Close a company. It is no longer listed and cannot be booked. Existing bookings stay valid. Reopen it with `PATCH` and `status: published`. */
      closeCompany: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description List own companies. Includes closed ones. */
      listOwnCompanies: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["OwnCompany"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description List the departures of a tour. By default the week from today, at most 31 days. Sold-out departures are included with `available: false`. */
      listTourDepartures: {
        input: {
          /** Format: uuid */
          id: string;
          /**
           * Format: date
           * @description In the local time of the place.
           */
          from?: string;
          /**
           * Format: date
           * @description The last date, included.
           */
          to?: string;
          /** @default 1 */
          guests?: number;
        };
        reply: {
          timezone: string;
          currency: string;
          guests: number;
          slots: components["schemas"]["Slot"][];
        };
      };
      /** @description Get the availability of a restaurant. Sittings after midnight belong to the date on which the opening hours begin. */
      getRestaurantAvailability: {
        input: {
          /** Format: uuid */
          id: string;
          /** Format: date */
          date: string;
          /** @default 1 */
          guests?: number;
        };
        reply: {
          timezone: string;
          currency: string;
          guests: number;
          slots: components["schemas"]["TableSlot"][];
        };
      };
      /** @description Get the availability of a transfer */
      getTransferAvailability: {
        input: {
          /** Format: uuid */
          id: string;
          /** Format: date-time */
          slot_start: string;
          /** @default 1 */
          guests?: number;
        };
        reply: {
          timezone: string;
          currency: string;
          guests: number;
          slots: components["schemas"]["RideSlot"][];
        };
      };
      /** @description Get the availability of an instructor */
      getInstructorAvailability: {
        input: {
          /** Format: uuid */
          id: string;
          /** Format: date */
          date: string;
          /**
           * @description Length of the lesson.
           * @default 60
           */
          minutes?: number;
          /** @default 1 */
          guests?: number;
        };
        reply: {
          timezone: string;
          currency: string;
          guests: number;
          slots: components["schemas"]["Slot"][];
        };
      };
      /** @description List hotels. By name. With dates, only hotels with a free room are listed, and `min_price` is the price for these dates. */
      listPartnerHotels: {
        input: {
          /** @description Case does not matter. */
          city?: string;
          stars?: number;
          /** @description Lowest `min_price`, in the currency of the hotel. */
          min_price?: number;
          /** @description Highest `min_price`. */
          max_price?: number;
          /**
           * Format: date
           * @description With `check_out`: only hotels with a free room.
           */
          check_in?: string;
          /** Format: date */
          check_out?: string;
          /** @description Only hotels with a room for this many guests. */
          guests?: number;
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["Hotel"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Get a hotel */
      getPartnerHotel: {
        input: {
          /** Format: uuid */
          hotel_id: string;
        };
        reply: components["schemas"]["Hotel"];
      };
      /** @description List the rooms of a hotel */
      listPartnerRooms: {
        input: {
          /** Format: uuid */
          hotel_id: string;
        };
        reply: {
          data: components["schemas"]["Room"][];
        };
      };
      /** @description Get the availability of a hotel. Lists each room with its nights and price, and the reasons if it is not available. */
      getPartnerAvailability: {
        input: {
          /** Format: uuid */
          hotel_id: string;
          /** Format: date */
          check_in: string;
          /** Format: date */
          check_out: string;
          /** @default 1 */
          guests?: number;
        };
        reply: components["schemas"]["Availability"];
      };
      /** @description List API keys */
      listApiKeys: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["ApiKey"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Create an API key. With `allowed_domains`, browsers can use the key only on pages of these hosts; `*.host` allows its subdomains. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      createApiKey: {
        input: {
          name: string;
          scopes: ("hotels:read" | "rooms:read" | "availability:read" | "audit:read" | "passes:scan" | "snow:report")[];
          allowed_domains?: string[];
          expires_at?: string | null;
        };
        reply: components["schemas"]["IssuedApiKey"];
      };
      /** @description Rotate the secret of an API key. The previous secret stays valid until the next rotation. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      rotateApiKey: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["IssuedApiKey"];
      };
      /** @description Revoke an API key. Takes effect on all nodes within a second and cannot be undone. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      revokeApiKey: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description List ski pass tariffs. The cheapest first. */
      listSkiPassTariffs: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          age_group?: "adult" | "youth" | "child" | "senior" | "family";
        };
        reply: {
          data: components["schemas"]["SkiPassTariff"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description List ski pass tariffs. The cheapest first. */
      listPassTariffs: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          age_group?: "adult" | "youth" | "child" | "senior" | "family";
        };
        reply: {
          data: components["schemas"]["SkiPassTariff"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description List ski pass tariffs. The cheapest first. */
      listSkipassTariffs: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          age_group?: "adult" | "youth" | "child" | "senior" | "family";
        };
        reply: {
          data: components["schemas"]["SkiPassTariff"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description List all ski pass tariffs. Includes closed ones. */
      listAllSkiPassTariffs: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          age_group?: "adult" | "youth" | "child" | "senior" | "family";
          /**
           * @description A `closed` product is not listed and not sold.
           * @enum {string}
           */
          status?: "closed" | "published";
        };
        reply: {
          data: components["schemas"]["SkiPassTariff"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Create a ski pass tariff. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      createSkiPassTariff: {
        input: components["schemas"]["NewSkiPassTariff"];
        reply: components["schemas"]["SkiPassTariff"];
      };
      /** @description Update a ski pass tariff. Fields that are left out keep their values. Existing purchases keep their price and dates. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      updateSkiPassTariff: {
        input: {
          /** Format: uuid */
          id: string;
        } & components["schemas"]["SkiPassTariffUpdate"];
        reply: components["schemas"]["SkiPassTariff"];
      };
      /** @description Preview the price of ski passes. The price that a purchase with the same fields would have now, with the discount of a promo code. No use of the code is reserved. Nobody has to sign in, except with a promo code. Deposits for cards are not discounted. Passes that could not be used in full on the dates on which the mountain is not declared closed are not sold (409 `not_bookable`); `closed_dates` tells of others. An `Idempotency-Key` is accepted and has no effect: it writes nothing. */
      quoteSkiPasses: {
        input: {
          /** Format: uuid */
          tariff_id: string;
          /** Format: date */
          valid_from: string;
          /** @default 1 */
          quantity?: number;
          /**
           * @description Pay deposits for cards, too.
           * @default false
           */
          with_cards?: boolean;
          /** @description A promo code, in any letter case. */
          promo?: string;
        };
        reply: components["schemas"]["SkiPassQuote"];
      };
      /** @description Preview the price of ski passes. The price that a purchase with the same fields would have now, with the discount of a promo code. No use of the code is reserved. Nobody has to sign in, except with a promo code. Deposits for cards are not discounted. Passes that could not be used in full on the dates on which the mountain is not declared closed are not sold (409 `not_bookable`); `closed_dates` tells of others. An `Idempotency-Key` is accepted and has no effect: it writes nothing. */
      quotePasses: {
        input: {
          /** Format: uuid */
          tariff_id: string;
          /** Format: date */
          valid_from: string;
          /** @default 1 */
          quantity?: number;
          /**
           * @description Pay deposits for cards, too.
           * @default false
           */
          with_cards?: boolean;
          /** @description A promo code, in any letter case. */
          promo?: string;
        };
        reply: components["schemas"]["SkiPassQuote"];
      };
      /** @description Preview the price of ski passes. The price that a purchase with the same fields would have now, with the discount of a promo code. No use of the code is reserved. Nobody has to sign in, except with a promo code. Deposits for cards are not discounted. Passes that could not be used in full on the dates on which the mountain is not declared closed are not sold (409 `not_bookable`); `closed_dates` tells of others. An `Idempotency-Key` is accepted and has no effect: it writes nothing. */
      quoteSkipasses: {
        input: {
          /** Format: uuid */
          tariff_id: string;
          /** Format: date */
          valid_from: string;
          /** @default 1 */
          quantity?: number;
          /**
           * @description Pay deposits for cards, too.
           * @default false
           */
          with_cards?: boolean;
          /** @description A promo code, in any letter case. */
          promo?: string;
        };
        reply: components["schemas"]["SkiPassQuote"];
      };
      /** @description Purchase ski passes. All passes of a purchase have the same tariff; of a family tariff, `quantity` counts families. Once it is paid, issue each pass. Passes that could not be used in full on the dates on which the mountain is not declared closed are not sold (409 `not_bookable`); `closed_dates` tells of others. Redirect the payer to `redirect_url` and pay before `expires_at`. If the payment fails, start another with `POST /payments/process`. A purchase that is cancelled before its first day is refunded in full. */
      purchaseSkiPass: {
        input: {
          /** Format: uuid */
          tariff_id: string;
          /** Format: date */
          valid_from: string;
          /** @default 1 */
          quantity?: number;
          /**
           * @description Pay deposits for cards, too.
           * @default false
           */
          with_cards?: boolean;
          /** @enum {string} */
          method?: "card" | "sbp" | "wallet";
          /** Format: uuid */
          payment_method_id?: string;
          /** @description The total that the customer was shown. If it has changed, the answer is 409 `price_changed` with the new quote. */
          expected_total?: number;
          /** @description A promo code, in any letter case. */
          promo?: string;
        };
        reply: components["schemas"]["StartedSkiPassPurchase"];
      };
      /** @description Purchase ski passes. All passes of a purchase have the same tariff; of a family tariff, `quantity` counts families. Once it is paid, issue each pass. Passes that could not be used in full on the dates on which the mountain is not declared closed are not sold (409 `not_bookable`); `closed_dates` tells of others. Redirect the payer to `redirect_url` and pay before `expires_at`. If the payment fails, start another with `POST /payments/process`. A purchase that is cancelled before its first day is refunded in full. */
      purchasePass: {
        input: {
          /** Format: uuid */
          tariff_id: string;
          /** Format: date */
          valid_from: string;
          /** @default 1 */
          quantity?: number;
          /**
           * @description Pay deposits for cards, too.
           * @default false
           */
          with_cards?: boolean;
          /** @enum {string} */
          method?: "card" | "sbp" | "wallet";
          /** Format: uuid */
          payment_method_id?: string;
          /** @description The total that the customer was shown. If it has changed, the answer is 409 `price_changed` with the new quote. */
          expected_total?: number;
          /** @description A promo code, in any letter case. */
          promo?: string;
        };
        reply: components["schemas"]["StartedSkiPassPurchase"];
      };
      /** @description Purchase ski passes. All passes of a purchase have the same tariff; of a family tariff, `quantity` counts families. Once it is paid, issue each pass. Passes that could not be used in full on the dates on which the mountain is not declared closed are not sold (409 `not_bookable`); `closed_dates` tells of others. Redirect the payer to `redirect_url` and pay before `expires_at`. If the payment fails, start another with `POST /payments/process`. A purchase that is cancelled before its first day is refunded in full. */
      purchaseSkipass: {
        input: {
          /** Format: uuid */
          tariff_id: string;
          /** Format: date */
          valid_from: string;
          /** @default 1 */
          quantity?: number;
          /**
           * @description Pay deposits for cards, too.
           * @default false
           */
          with_cards?: boolean;
          /** @enum {string} */
          method?: "card" | "sbp" | "wallet";
          /** Format: uuid */
          payment_method_id?: string;
          /** @description The total that the customer was shown. If it has changed, the answer is 409 `price_changed` with the new quote. */
          expected_total?: number;
          /** @description A promo code, in any letter case. */
          promo?: string;
        };
        reply: components["schemas"]["StartedSkiPassPurchase"];
      };
      /** @description Issue a ski pass. The same phone gets its code again, with the dates as they are now. Another `device_key` gets a new code, and the one before opens no gate any more. */
      issueSkiPass: {
        input: components["schemas"]["SkiPassIssue"];
        reply: components["schemas"]["IssuedSkiPass"];
      };
      /** @description Issue a ski pass. The same phone gets its code again, with the dates as they are now. Another `device_key` gets a new code, and the one before opens no gate any more. */
      issuePass: {
        input: components["schemas"]["SkiPassIssue"];
        reply: components["schemas"]["IssuedSkiPass"];
      };
      /** @description Issue a ski pass. The same phone gets its code again, with the dates as they are now. Another `device_key` gets a new code, and the one before opens no gate any more. */
      issueSkipass: {
        input: components["schemas"]["SkiPassIssue"];
        reply: components["schemas"]["IssuedSkiPass"];
      };
      /** @description List own ski passes. The latest first valid date first. Passes appear once their purchase is paid. */
      listOwnSkiPasses: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** Format: uuid */
          purchase_id?: string;
        };
        reply: {
          data: components["schemas"]["SkiPass"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description List own ski passes. The latest first valid date first. Passes appear once their purchase is paid. */
      listOwnPasses: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** Format: uuid */
          purchase_id?: string;
        };
        reply: {
          data: components["schemas"]["SkiPass"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description List own ski passes. The latest first valid date first. Passes appear once their purchase is paid. */
      listOwnSkipasses: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** Format: uuid */
          purchase_id?: string;
        };
        reply: {
          data: components["schemas"]["SkiPass"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description List the scans of your ski pass. Newest first. */
      listOwnSkiPassScans: {
        input: {
          /** Format: uuid */
          id: string;
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: ({
              /** Format: uuid */
              id: string;
              /** Format: uuid */
              pass_id: string;
              /** Format: uuid */
              user_id: string;
              /** Format: uuid */
              scan_id: string;
              gate_id: string;
              lift_id: string | null;
              area: number | null;
              /** Format: date-time */
              scanned_at: string;
              skew_ms: number;
              is_online: boolean;
              /** @enum {string} */
              outcome: "passed" | "refused";
              reason: ("replaced" | "refunded" | "blocked" | "not_yet_valid" | "expired" | "wrong_area" | "spent" | "passback" | "clock") | null;
            })[];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description List the scans of your ski pass. Newest first. */
      listOwnPassScans: {
        input: {
          /** Format: uuid */
          id: string;
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: ({
              /** Format: uuid */
              id: string;
              /** Format: uuid */
              pass_id: string;
              /** Format: uuid */
              user_id: string;
              /** Format: uuid */
              scan_id: string;
              gate_id: string;
              lift_id: string | null;
              area: number | null;
              /** Format: date-time */
              scanned_at: string;
              skew_ms: number;
              is_online: boolean;
              /** @enum {string} */
              outcome: "passed" | "refused";
              reason: ("replaced" | "refunded" | "blocked" | "not_yet_valid" | "expired" | "wrong_area" | "spent" | "passback" | "clock") | null;
            })[];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description List the scans of your ski pass. Newest first. */
      listOwnSkipassScans: {
        input: {
          /** Format: uuid */
          id: string;
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: ({
              /** Format: uuid */
              id: string;
              /** Format: uuid */
              pass_id: string;
              /** Format: uuid */
              user_id: string;
              /** Format: uuid */
              scan_id: string;
              gate_id: string;
              lift_id: string | null;
              area: number | null;
              /** Format: date-time */
              scanned_at: string;
              skew_ms: number;
              is_online: boolean;
              /** @enum {string} */
              outcome: "passed" | "refused";
              reason: ("replaced" | "refunded" | "blocked" | "not_yet_valid" | "expired" | "wrong_area" | "spent" | "passback" | "clock") | null;
            })[];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Check whether a ski pass opens a gate. Consumes nothing. Send the code that somebody shows, or the id of your pass. An `Idempotency-Key` is accepted and has no effect: it writes nothing. */
      validateSkiPass: {
        input: {
          code?: string;
          /** Format: uuid */
          pass_id?: string;
          /** @description The area of the gate. */
          area?: number;
        };
        reply: components["schemas"]["SkiPassVerdict"];
      };
      /** @description Check whether a ski pass opens a gate. Consumes nothing. Send the code that somebody shows, or the id of your pass. An `Idempotency-Key` is accepted and has no effect: it writes nothing. */
      validatePass: {
        input: {
          code?: string;
          /** Format: uuid */
          pass_id?: string;
          /** @description The area of the gate. */
          area?: number;
        };
        reply: components["schemas"]["SkiPassVerdict"];
      };
      /** @description Check whether a ski pass opens a gate. Consumes nothing. Send the code that somebody shows, or the id of your pass. An `Idempotency-Key` is accepted and has no effect: it writes nothing. */
      validateSkipass: {
        input: {
          code?: string;
          /** Format: uuid */
          pass_id?: string;
          /** @description The area of the gate. */
          area?: number;
        };
        reply: components["schemas"]["SkiPassVerdict"];
      };
      /** @description Give a ski pass back. It opens no gate any more. Before its first day its whole price is refunded, later that of unused days if the tariff `refunds_unused`, or if an admin does it. `preview` only computes. Admins need a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      giveBackSkiPass: {
        input: {
          /** Format: uuid */
          id: string;
        } & {
          /** @default false */
          preview?: boolean;
          reason?: string;
        };
        reply: components["schemas"]["SkiPassGivenBack"];
      };
      /** @description Give a ski pass back. It opens no gate any more. Before its first day its whole price is refunded, later that of unused days if the tariff `refunds_unused`, or if an admin does it. `preview` only computes. Admins need a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      giveBackPass: {
        input: {
          /** Format: uuid */
          id: string;
        } & {
          /** @default false */
          preview?: boolean;
          reason?: string;
        };
        reply: components["schemas"]["SkiPassGivenBack"];
      };
      /** @description Give a ski pass back. It opens no gate any more. Before its first day its whole price is refunded, later that of unused days if the tariff `refunds_unused`, or if an admin does it. `preview` only computes. Admins need a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      giveBackSkipass: {
        input: {
          /** Format: uuid */
          id: string;
        } & {
          /** @default false */
          preview?: boolean;
          reason?: string;
        };
        reply: components["schemas"]["SkiPassGivenBack"];
      };
      /** @description Block a ski pass. It opens no gate until it is unblocked. Gates without a connection learn it with their next list. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      blockPass: {
        input: {
          /** Format: uuid */
          id: string;
        } & {
          reason: string;
        };
        reply: components["schemas"]["SkiPassNow"];
      };
      /** @description Unblock a ski pass. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      unblockPass: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["SkiPassNow"];
      };
      /** @description Record that the card of a ski pass came back. Its deposit is refunded, once. */
      returnPassCard: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["SkiPassNow"];
      };
      /** @description List scans of ski passes. Newest first. With `conflicts`, only passages against the rules, such as those of gates without a connection. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      listPassScans: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** Format: uuid */
          pass_id?: string;
          /** @enum {string} */
          outcome?: "passed" | "refused";
          /** @enum {string} */
          reason?: "replaced" | "refunded" | "blocked" | "not_yet_valid" | "expired" | "wrong_area" | "spent" | "passback" | "clock";
          conflicts?: boolean;
        };
        reply: {
          data: ({
              /** Format: uuid */
              id: string;
              /** Format: uuid */
              pass_id: string;
              /** Format: uuid */
              user_id: string;
              /** Format: uuid */
              scan_id: string;
              gate_id: string;
              lift_id: string | null;
              area: number | null;
              /** Format: date-time */
              scanned_at: string;
              skew_ms: number;
              is_online: boolean;
              /** @enum {string} */
              outcome: "passed" | "refused";
              reason: ("replaced" | "refunded" | "blocked" | "not_yet_valid" | "expired" | "wrong_area" | "spent" | "passback" | "clock") | null;
            })[];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Give back the days of a closure of the mountain. Every pass that was sold before and is valid on one of the dates is valid that many days longer, and rides on these dates were free. Season passes get nothing. It cannot be undone: look at the `preview` first. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      giveDaysBack: {
        input: components["schemas"]["MountainClosure"];
        reply: {
          /** @description Those that were not given back before. */
          dates: string[];
          /** @description How many passes are valid on them. */
          passes: number;
        };
      };
      /** @description List the dates of closures. The latest first. */
      listClosedDates: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: {
              /** Format: date */
              date: string;
              /** Format: date-time */
              at: string;
              reason: string;
            }[];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Get the public keys of ski pass codes. Ed25519, as RFC 8037 writes keys. The first one signs; codes of the others are still valid. */
      listPassKeys: {
        reply: {
          keys: {
              /** @description 8 hexadecimal digits, as in the code. */
              kid: string;
              /** @constant */
              kty: "OKP";
              /** @constant */
              crv: "Ed25519";
              /** @description The public key, base64url. */
              x: string;
            }[];
        };
      };
      /** @description List revoked ski passes. What has changed since the last answer, oldest first, at most 1000. Ask again with `since` = `next`, at once while `more` is true. A pass that comes again replaces what was known of it. All come again when another history begins, such as after a move to another log. */
      listRevokedPasses: {
        input: {
          /** @description `next` of the last answer. Absent: all are listed. */
          since?: string;
        };
        reply: {
          data: ({
              /** Format: uuid */
              pass_id: string;
              valid_from_serial: number | null;
            })[];
          /** @description Keep it as it is, and send it as `since`. */
          next: string;
          more: boolean;
        };
      };
      /** @description List ski passes that closures have made valid longer. What has changed since the last answer. A printed code does not say it. Ask again with `since` = `next`, at once while `more` is true; 5000 passes are looked at for an answer, which can be empty. A pass that comes again replaces what was known of it. */
      listExtendedPasses: {
        input: {
          /** @description `next` of the last answer. Absent: all are listed. */
          since?: string;
        };
        reply: {
          data: {
              /** Format: uuid */
              pass_id: string;
              /**
               * Format: date-time
               * @description The first moment at which it is no longer valid, if that is later than its code says.
               */
              valid_until: string;
            }[];
          /** @description Keep it as it is, and send it as `since`. */
          next: string;
          more: boolean;
        };
      };
      /** @description Scan a ski pass at a gate. Open the gate only if `opens` is true. Without an answer ask again with the same `scan_id`: it gets the same answer. An `Idempotency-Key` is accepted and has no effect: a scan is known by its `scan_id`. */
      scanPass: {
        input: components["schemas"]["SkiPassScan"];
        reply: components["schemas"]["SkiPassScanned"];
      };
      /** @description Record scans that happened without a connection. At most 1000. They are kept whatever the rules say, because they happened; passages against the rules have a `conflict`. Safe to repeat. An `Idempotency-Key` is accepted and has no effect: a scan is known by its `scan_id`. */
      recordPassScans: {
        input: components["schemas"]["OfflineSkiPassScans"];
        reply: components["schemas"]["KeptSkiPassScans"];
      };
      /** @description List insurance products. The cheapest first. */
      listInsuranceProducts: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["InsuranceProduct"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description List all insurance products. Includes closed ones. */
      listAllInsuranceProducts: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /**
           * @description A `closed` product is not listed and not sold.
           * @enum {string}
           */
          status?: "closed" | "published";
        };
        reply: {
          data: components["schemas"]["InsuranceProduct"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Create an insurance product. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      createInsuranceProduct: {
        input: components["schemas"]["NewInsuranceProduct"];
        reply: components["schemas"]["InsuranceProduct"];
      };
      /** @description Update an insurance product. Fields that are left out keep their values. Existing purchases keep their price and dates. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      updateInsuranceProduct: {
        input: {
          /** Format: uuid */
          id: string;
        } & components["schemas"]["InsuranceProductUpdate"];
        reply: components["schemas"]["InsuranceProduct"];
      };
      /** @description Preview the price of insurance. The price that a purchase with the same fields would have now, with the discount of a promo code. No use of the code is reserved. Nobody has to sign in, except with a promo code. An `Idempotency-Key` is accepted and has no effect: it writes nothing. */
      quoteInsurance: {
        input: {
          /** Format: uuid */
          product_id: string;
          /** Format: date */
          valid_from: string;
          /** Format: date */
          valid_to: string;
          persons: {
              first_name: string;
              last_name: string;
              /** Format: date */
              birth_date: string;
            }[];
          /** @description A promo code, in any letter case. */
          promo?: string;
        };
        reply: components["schemas"]["PurchaseQuote"];
      };
      /** @description Purchase insurance. Covers the days from `valid_from` to `valid_to`, both included. Redirect the payer to `redirect_url` and pay before `expires_at`. If the payment fails, start another with `POST /payments/process`. A purchase that is cancelled before its first day is refunded in full. */
      purchaseInsurance: {
        input: {
          /** Format: uuid */
          product_id: string;
          /** Format: date */
          valid_from: string;
          /** Format: date */
          valid_to: string;
          persons: {
              first_name: string;
              last_name: string;
              /** Format: date */
              birth_date: string;
            }[];
          /** @enum {string} */
          method?: "card" | "sbp" | "wallet";
          /** Format: uuid */
          payment_method_id?: string;
          /** @description The total that the customer was shown. If it has changed, the answer is 409 `price_changed` with the new quote. */
          expected_total?: number;
          /** @description A promo code, in any letter case. */
          promo?: string;
        };
        reply: components["schemas"]["StartedPurchase"];
      };
      /** @description List own purchases. Newest first. */
      listOwnPurchases: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          service_type?: "ski_pass" | "insurance";
          /** @enum {string} */
          status?: "pending_payment" | "paid" | "expired" | "cancelled" | "refunded";
        };
        reply: {
          data: components["schemas"]["Purchase"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Get a purchase */
      getPurchase: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["Purchase"];
      };
      /** @description Cancel a purchase. Before its first day, and for admins at any time, insurance is refunded in full; later cancellations are not refunded. Ski passes are ended, each is refunded like one that is given back. The refund runs in the background; the status is `refunded` when all of the money was returned. Admins need a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      cancelPurchase: {
        input: {
          /** Format: uuid */
          id: string;
        } & {
          reason?: string;
        };
        reply: components["schemas"]["Purchase"];
      };
      /** @description Preview the refund of a cancelled purchase. What goes back if the caller cancels now. Of ski passes, gates without a connection can tell passages within a day, which lower it. */
      getPurchaseCancellationQuote: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["PurchaseCancellationQuote"];
      };
      /** @description Book a trip. Creates several bookings at once, or none. Each item has the body of `POST /bookings/create`. Pay the bookings one by one or all at once with the id of the trip, before `hold_expires_at`. If an item is refused, nothing is booked and `index` of the error is its position, from 0. All items must have the same currency. */
      bookTrip: {
        input: components["schemas"]["NewTrip"];
        reply: components["schemas"]["Trip"];
      };
      /** @description List own trips */
      listOwnTrips: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["Trip"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Get a trip */
      getTrip: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["Trip"];
      };
      /** @description Create a booking. Holds the places until `hold_expires_at`; pay before then. A booking that costs nothing is paid at once. `item_id` is the id of the room, tour, restaurant, transfer route or instructor. Dates of a stay are in the time zone of the hotel. Only lessons have `slot_end`. */
      createBooking: {
        input: components["schemas"]["NewBooking"];
        reply: components["schemas"]["Booking"];
      };
      /** @description Preview the price of a booking. What `POST /bookings/create` with the same body would cost now, with the discount of a promo code, or why it would be refused. Nothing is held. Where several tables or vehicles fit, the price is that of the first one that is free. An `Idempotency-Key` is accepted and has no effect: it writes nothing. */
      quoteBooking: {
        input: components["schemas"]["NewBooking"];
        reply: components["schemas"]["BookingQuote"];
      };
      /** @description Book a tour. Holds the places until `hold_expires_at`; pay before then. A booking that costs nothing is paid at once. */
      bookTour: {
        input: {
          /** Format: uuid */
          tour_id: string;
          /** Format: date-time */
          slot_start: string;
          guests: number;
          notes?: string | null;
          /** @description For the seller. The name of the profile by default; null: not told. */
          guest_name?: string | null;
          /** @description For the seller, with the country code. The number of the profile by default; null: not told. */
          guest_phone?: string | null;
          /** @description When the guest expects to come: `HH:MM` in the local time of the place. */
          arrival_time?: string | null;
          /** @description A promo code, in any letter case. */
          promo?: string;
          /** @description The total that the customer was shown. If it has changed, the answer is 409 `price_changed` with the new quote. */
          expected_total?: number;
        };
        reply: components["schemas"]["Booking"];
      };
      /** @description Book a transfer. Holds the places until `hold_expires_at`; pay before then. A booking that costs nothing is paid at once. Without `vehicle_id` and `vehicle_class`, the cheapest free vehicle with enough seats is booked. */
      bookTransfer: {
        input: {
          /** Format: uuid */
          transfer_id: string;
          /** Format: date-time */
          slot_start: string;
          guests: number;
          notes?: string | null;
          /** @description For the seller. The name of the profile by default; null: not told. */
          guest_name?: string | null;
          /** @description For the seller, with the country code. The number of the profile by default; null: not told. */
          guest_phone?: string | null;
          /** @description When the guest expects to come: `HH:MM` in the local time of the place. */
          arrival_time?: string | null;
          /** @description A promo code, in any letter case. */
          promo?: string;
          /** @description The total that the customer was shown. If it has changed, the answer is 409 `price_changed` with the new quote. */
          expected_total?: number;
          /** Format: uuid */
          vehicle_id?: string;
          /** @enum {string} */
          vehicle_class?: "economy" | "comfort" | "business" | "minivan" | "minibus" | "bus" | "offroad";
        };
        reply: components["schemas"]["Booking"];
      };
      /** @description Book a table. Holds the places until `hold_expires_at`; pay before then. A booking that costs nothing is paid at once. The smallest free table with enough seats is booked. */
      bookTable: {
        input: {
          /** Format: uuid */
          id: string;
        } & ({
          /** Format: date-time */
          slot_start: string;
          guests: number;
          notes?: string | null;
          /** @description For the seller. The name of the profile by default; null: not told. */
          guest_name?: string | null;
          /** @description For the seller, with the country code. The number of the profile by default; null: not told. */
          guest_phone?: string | null;
          /** @description When the guest expects to come: `HH:MM` in the local time of the place. */
          arrival_time?: string | null;
          /** @description A promo code, in any letter case. */
          promo?: string;
          /** @description The total that the customer was shown. If it has changed, the answer is 409 `price_changed` with the new quote. */
          expected_total?: number;
        });
        reply: components["schemas"]["Booking"];
      };
      /** @description Book a lesson. Holds the places until `hold_expires_at`; pay before then. A booking that costs nothing is paid at once. */
      bookLesson: {
        input: {
          /** Format: uuid */
          id: string;
        } & ({
          /** Format: date-time */
          slot_start: string;
          /** Format: date-time */
          slot_end: string;
          guests: number;
          notes?: string | null;
          /** @description For the seller. The name of the profile by default; null: not told. */
          guest_name?: string | null;
          /** @description For the seller, with the country code. The number of the profile by default; null: not told. */
          guest_phone?: string | null;
          /** @description When the guest expects to come: `HH:MM` in the local time of the place. */
          arrival_time?: string | null;
          /** @description A promo code, in any letter case. */
          promo?: string;
          /** @description The total that the customer was shown. If it has changed, the answer is 409 `price_changed` with the new quote. */
          expected_total?: number;
        });
        reply: components["schemas"]["Booking"];
      };
      /** @description List own bookings. Newest first. Dates are in the local time of the place. */
      listBookings: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          type?: "hotel" | "tour" | "restaurant" | "transfer" | "instructor";
          /** @enum {string} */
          status?: "pending_payment" | "paid" | "confirmed" | "completed" | "expired" | "cancelled" | "rejected" | "no_show";
          /** @description In any letter case, with or without spaces and dashes. */
          reference?: string;
          /**
           * Format: date
           * @description Slots on this date, and stays with this night.
           */
          date?: string;
          /**
           * Format: date
           * @description The first date on which a booking may start.
           */
          from?: string;
          /**
           * Format: date
           * @description The last date on which a booking may start.
           */
          to?: string;
        };
        reply: {
          data: components["schemas"]["Booking"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description List own bookings. Newest first. Dates are in the local time of the place. */
      listOwnBookings: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          type?: "hotel" | "tour" | "restaurant" | "transfer" | "instructor";
          /** @enum {string} */
          status?: "pending_payment" | "paid" | "confirmed" | "completed" | "expired" | "cancelled" | "rejected" | "no_show";
          /** @description In any letter case, with or without spaces and dashes. */
          reference?: string;
          /**
           * Format: date
           * @description Slots on this date, and stays with this night.
           */
          date?: string;
          /**
           * Format: date
           * @description The first date on which a booking may start.
           */
          from?: string;
          /**
           * Format: date
           * @description The last date on which a booking may start.
           */
          to?: string;
        };
        reply: {
          data: components["schemas"]["Booking"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description List bookings of own listings (seller). Newest first. Admins get the bookings of all sellers. Somebody who lost the role of a seller still gets the bookings of that time. Admins need a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      listProviderBookings: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          type?: "hotel" | "tour" | "restaurant" | "transfer" | "instructor";
          /** @enum {string} */
          status?: "pending_payment" | "paid" | "confirmed" | "completed" | "expired" | "cancelled" | "rejected" | "no_show";
          /** @description In any letter case, with or without spaces and dashes. */
          reference?: string;
          /**
           * Format: date
           * @description Slots on this date, and stays with this night.
           */
          date?: string;
          /**
           * Format: date
           * @description The first date on which a booking may start.
           */
          from?: string;
          /**
           * Format: date
           * @description The last date on which a booking may start.
           */
          to?: string;
        };
        reply: {
          data: components["schemas"]["Booking"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Get a booking */
      getBooking: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["Booking"];
      };
      /** @description Update a booking. By the guest, until the booking begins. New dates, a new slot or another number of guests are held and priced again; if that fails, nothing changes. A paid booking that gets more expensive keeps its terms until the difference is paid (`POST /payments/process` with its `booking_id`): until then `change` shows what is proposed. One that gets cheaper changes at once, and the difference is refunded less what cancelling that part would cost; see `POST /bookings/{id}/change-quote`. Notes and the details of the guest can change until the booking has ended. A stay has `check_in` and `check_out`; everything else has `slot_start`, and a lesson also `slot_end`. A restaurant may assign another table. A transfer keeps its vehicle. Once a stay has begun, its seller or an admin can shorten it: an earlier `check_out`, from today on by the clocks of the place. The other nights are for sale again, and the price stays as it was, less the `refund` that the seller names. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes to change `refund`. */
      updateBooking: {
        input: {
          /** Format: uuid */
          id: string;
        } & components["schemas"]["BookingUpdate"];
        reply: components["schemas"]["Booking"];
      };
      /** @description Preview the cost of a cancellation */
      getCancellationQuote: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["CancellationQuote"];
      };
      /** @description Cancel a booking. A guest gets the refund of the cancellation quote. If the seller or an admin cancels, the guest gets a full refund. */
      cancelBooking: {
        input: {
          /** Format: uuid */
          id: string;
        } & {
          reason?: string;
        };
        reply: components["schemas"]["Booking"];
      };
      /** @description Confirm a booking (seller). An instant booking is confirmed by its payment: nothing changes. */
      confirmBooking: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["Booking"];
      };
      /** @description Reject a booking (seller). The guest gets a full refund. An instant booking that is paid cannot be rejected, only cancelled. */
      rejectBooking: {
        input: {
          /** Format: uuid */
          id: string;
        } & {
          reason?: string;
        };
        reply: components["schemas"]["Booking"];
      };
      /** @description Record a no-show (seller). Possible for a confirmed booking from its start until it is completed. What is left of its places is for sale again. The guest gets no refund; `POST /payments/{id}/refund` gives some back. Withdraw it within a day if the guest came after all. */
      recordNoShow: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["Booking"];
      };
      /** @description Withdraw a no-show (seller). Possible within a day after it was recorded, while nobody else has what is left of its places. The booking is confirmed again, and completed at its end. */
      withdrawNoShow: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["Booking"];
      };
      /** @description Download a booking as a calendar file (guest). iCalendar (RFC 5545). A later file of the same booking replaces the earlier one; the file of a cancelled booking removes it. */
      getBookingCalendar: {
        input: {
          /** Format: uuid */
          id: string;
          /**
           * @default en
           * @enum {string}
           */
          language?: "ru" | "en";
        };
        /** Format: binary */
        reply: Blob;
      };
      /** @description Preview the cost of a change. The new price, what is to be paid for it or what is refunded; or why the change would be refused. Nothing is held. `PATCH /bookings/{id}` with the same fields makes the change. An `Idempotency-Key` is accepted and has no effect: it writes nothing. */
      getChangeQuote: {
        input: {
          /** Format: uuid */
          id: string;
        } & components["schemas"]["BookingTermsChange"];
        reply: components["schemas"]["ChangeQuote"];
      };
      /** @description Withdraw a proposed change. The booking stays as it was. A payment for the change ends; money that comes later is refunded. */
      withdrawChange: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["Booking"];
      };
      /** @description Get the booking funnel of a period. Counts and amounts of the bookings created in the period (default: the last 30 days), by type and currency, for every stage they have reached since. `paid_out` has the payouts of the period; a payout does not belong to particular bookings. */
      getLedgerFunnel: {
        input: {
          /** Format: date-time */
          from?: string;
          /**
           * Format: date-time
           * @description End of the period, not included.
           */
          to?: string;
        };
        reply: {
          /** Format: date-time */
          from: string;
          /** Format: date-time */
          to: string;
          bookings: components["schemas"]["BookingFunnel"][];
          paid_out: {
              currency: string;
              count: number;
              amount: number;
              amount_minor: number;
            }[];
        };
      };
      /** @description List promo codes. Newest first, with their uses. */
      listPromoCodes: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @description A part of the code. */
          q?: string;
        };
        reply: {
          data: components["schemas"]["PromoCode"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Create a promo code. The code is stored in capital letters and cannot change. Without `uses` it can be used 10000 times, and by each person once. A discount leaves at least 1 to pay, in the currency of the code. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      createPromoCode: {
        input: components["schemas"]["NewPromoCode"];
        reply: components["schemas"]["PromoCode"];
      };
      /** @description Get a promo code */
      getPromoCode: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["PromoCode"];
      };
      /** @description Update a promo code. Fields that are left out keep their values; with another currency, send its amounts, too. What was sold before keeps its discount. A paused code cannot be used; uses that are reserved stay. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      updatePromoCode: {
        input: {
          /** Format: uuid */
          id: string;
        } & components["schemas"]["PromoCodeUpdate"];
        reply: components["schemas"]["PromoCode"];
      };
      /** @description List the uses of a promo code. Newest first. Uses that were given back are left out. */
      listPromoUses: {
        input: {
          /** Format: uuid */
          id: string;
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["PromoUse"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Review a completed booking. One review for a booking, which can be edited for 14 days. Without `booking_id` it is the newest completed booking of the listing that the caller has not reviewed. */
      createReview: {
        input: components["schemas"]["NewReview"];
        reply: components["schemas"]["Review"];
      };
      /** @description List reviews of a listing */
      listReviews: {
        input: {
          /** @enum {string} */
          target_type: "hotel" | "tour" | "restaurant" | "transfer" | "instructor";
          /** Format: uuid */
          target_id: string;
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /**
           * @description `best` and `worst`: by rating.
           * @default newest
           * @enum {string}
           */
          sort?: "newest" | "best" | "worst";
        };
        reply: {
          data: components["schemas"]["PublicReview"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description List own reviews. The newest first. Includes hidden ones, with the reason. */
      listOwnReviews: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["Review"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Get a review. For its author, its seller and admins. A hidden one only for its author, with the reason, and admins. */
      getReview: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["Review"];
      };
      /** @description Update your review. Until `editable_until`. Fields that are left out keep their values. Pictures that are not named again are deleted. */
      updateReview: {
        input: {
          /** Format: uuid */
          id: string;
        } & components["schemas"]["ReviewUpdate"];
        reply: components["schemas"]["Review"];
      };
      /** @description Delete your review. For good: the booking cannot be reviewed again. */
      deleteReview: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description List reviews of what the caller sells. The newest first. Hidden ones are left out. */
      listReceivedReviews: {
        input: {
          /** @enum {string} */
          target_type?: "hotel" | "tour" | "restaurant" | "transfer" | "instructor";
          /** Format: uuid */
          target_id?: string;
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["Review"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Answer a review of what the caller sells. Everybody sees the answer. Another answer replaces it. */
      answerReview: {
        input: {
          /** Format: uuid */
          id: string;
        } & {
          text: string;
        };
      };
      /** @description Remove the answer to a review. By the seller, or by an admin. */
      removeReviewAnswer: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description Report a review to the admins */
      reportReview: {
        input: {
          /** Format: uuid */
          id: string;
        } & {
          reason: string;
        };
        reply: components["schemas"]["FiledReport"];
      };
      /** @description List reports of reviews. The oldest first. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      listReviewReports: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          status?: "open" | "resolved";
        };
        reply: {
          data: components["schemas"]["ReviewReport"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Resolve a report of reviews. `dismiss` changes nothing else. `remove`: the review is hidden. It needs a `reason` for the author of the review. Other open reports of the same are closed. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      resolveReviewReport: {
        input: {
          /** Format: uuid */
          id: string;
        } & ({
          /** @enum {string} */
          action: "dismiss" | "remove";
          /** @description For the author. */
          reason?: string;
        });
      };
      /** @description List all reviews. The newest first. Includes hidden ones. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      listAllReviews: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          status?: "published" | "hidden";
        };
        reply: {
          data: components["schemas"]["Review"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Hide a review. Only its author and admins see it then, with the reason. It does not count in ratings. Its author is told, and can appeal. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      hideReview: {
        input: {
          /** Format: uuid */
          id: string;
        } & {
          reason: string;
        };
      };
      /** @description Restore a hidden review. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      restoreReview: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description Start a payment. Pays for a booking, the difference of its proposed change, a purchase or all that is unpaid of a trip, always in full; `amount` is optional and must match. If a payment is already open, it is returned; a different method replaces it as long as the payer has not acted on it. */
      processPayment: {
        input: components["schemas"]["NewPayment"];
        reply: components["schemas"]["StartedPayment"];
      };
      /** @description Cancel a pending payment. Possible until the payment is captured. A new payment can be started afterwards. */
      cancelPayment: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["StartedPayment"];
      };
      /** @description Refund a payment (seller). Refunds one item of the payment; `item_id` is required if the seller has several items in it. Without `amount`, all that is left of the item is refunded. What it takes of a share that was already released must be available (`409 balance_too_low` says how much is); only an admin can refund more, which the seller then owes. The refund runs in the background. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      refundPayment: {
        input: {
          /** Format: uuid */
          id: string;
        } & {
          /** Format: uuid */
          item_id?: string;
          amount?: number;
        };
        reply: components["schemas"]["Refund"];
      };
      /** @description List own payments. Newest first. `from` and `to` are the first and last day of creation, in UTC. */
      listOwnPayments: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          status?: "pending" | "requires_action" | "processing" | "authorized" | "failed" | "cancelled" | "expired" | "succeeded";
          /** Format: date */
          from?: string;
          /** Format: date */
          to?: string;
        };
        reply: {
          data: components["schemas"]["Payment"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description List own payments. Newest first. `from` and `to` are the first and last day of creation, in UTC. */
      listPaymentHistory: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          status?: "pending" | "requires_action" | "processing" | "authorized" | "failed" | "cancelled" | "expired" | "succeeded";
          /** Format: date */
          from?: string;
          /** Format: date */
          to?: string;
        };
        reply: {
          data: components["schemas"]["Payment"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Get a payment. For its payer, the sellers of its items, and admins. The payment provider is asked first, at most every few seconds, so that a payer who comes back sees how far the payment has come. */
      getPayment: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["Payment"];
      };
      /** @description Receive a notification of a payment provider. The sender is verified by the method of the provider. The notification is stored and answered at once, and processed in the background: the current state is requested from the provider. An `Idempotency-Key` is accepted and has no effect: a notification is known by what it reports. */
      receivePaymentNotification: {
        input: {
          provider: string;
        } & (components["schemas"]["YookassaNotification"] | components["schemas"]["TbankNotification"]);
        reply: string;
      };
      /** @description List payments. Newest first. `owner_id` is the seller of an item of the payment. `from` and `to` are the first and last day of creation, in UTC. */
      listPayments: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          status?: "pending" | "requires_action" | "processing" | "authorized" | "failed" | "cancelled" | "expired" | "succeeded";
          provider?: string;
          /** Format: uuid */
          user_id?: string;
          /** Format: uuid */
          owner_id?: string;
          /** Format: date */
          from?: string;
          /** Format: date */
          to?: string;
        };
        reply: {
          data: components["schemas"]["Payment"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description List refunds, mismatches and notifications in manual review, and recent changes of payout settings. Refunds that the provider refused, failed to execute, left pending for two weeks or did not answer for hours; second charges that it did not return; captured payments whose record at the provider differs (their shares are held); notifications with another amount, or whose payment could not be requested. The longest waiting first, at most 100 of each. `foreign_notifications` are about payments of other sites of the same shop: how many, and the newest 20. `settings_changes` lists the bank accounts and payment providers that sellers changed in the last 30 days, newest first, at most 100. */
      listPaymentsInReview: {
        reply: {
          refunds: components["schemas"]["StuckRefund"][];
          duplicate_charges: components["schemas"]["StuckDuplicateCharge"][];
          mismatches: components["schemas"]["PaymentMismatch"][];
          notifications: components["schemas"]["StuckNotification"][];
          foreign_notifications: {
            count: number;
            newest: components["schemas"]["StuckNotification"][];
          };
          settings_changes: components["schemas"]["PayoutSettingsChange"][];
        };
      };
      /** @description Retry a refund. A refund that the provider certainly did not make is requested anew. One whose outcome is unknown is asked about under its old key, so that it cannot be made twice. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      retryRefund: {
        input: {
          /** Format: uuid */
          id: string;
          /** Format: uuid */
          refund_id: string;
        };
        reply: components["schemas"]["Refund"];
      };
      /** @description Resolve a refund in manual review. `succeeded`: the provider confirmed that the payer has the money. `failed`: the payer does not have it; start a new refund. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      resolveRefund: {
        input: {
          /** Format: uuid */
          id: string;
          /** Format: uuid */
          refund_id: string;
        } & ({
          /** @enum {string} */
          status: "succeeded" | "failed";
        });
        reply: components["schemas"]["Refund"];
      };
      /** @description Resolve a second charge of a payment. `retry`: the provider is asked again to return it. `returned`: the provider confirmed that the payer has the money. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      resolveDuplicateCharge: {
        input: {
          /** Format: uuid */
          id: string;
          txn_id: string;
        } & ({
          /** @enum {string} */
          outcome: "retry" | "returned";
        });
        reply: {
          /** Format: uuid */
          id: string;
          txn_id: string;
        };
      };
      /** @description Resolve a mismatch of a payment with its provider. `refunded`: `amount` was refunded at the provider by hand, of `item_id` (required if the payment has several items); it becomes a refund here. `accepted`: both records stay as they are, and the share is free. `ask`: the provider is asked again. After `refunded` it is asked, too: the mismatch ends when both agree. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      resolvePaymentMismatch: {
        input: {
          /** Format: uuid */
          id: string;
        } & ({
          /** @enum {string} */
          outcome: "refunded" | "accepted" | "ask";
          /** Format: uuid */
          item_id?: string;
          amount?: number;
        });
        reply: components["schemas"]["Payment"];
      };
      /** @description Retry a notification. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      retryNotification: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description Dismiss all notifications in manual review that wait for one reason. `reason` as in the review, such as `foreign_payment`. `before`: only those received until then, so that none is dismissed that nobody has seen; by default now. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      dismissNotifications: {
        input: {
          reason: string;
          /** Format: date-time */
          before?: string;
        };
        reply: {
          dismissed: number;
        };
      };
      /** @description Dismiss a notification in manual review. Nothing is to be done about it: it leaves the review. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      dismissNotification: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description Get the default payment provider */
      getPaymentSettings: {
        reply: components["schemas"]["PaymentSettings"];
      };
      /** @description Set the default payment provider. Applies to new payments. Existing payments and their refunds keep their provider. null restores the provider of the configuration. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      updatePaymentSettings: {
        input: {
          payment_provider_default: ("yookassa" | "tbank") | null;
        };
        reply: components["schemas"]["PaymentSettings"];
      };
      /** @description Get the payment settings of an owner. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      getOwnerPaymentSettings: {
        input: {
          /** Format: uuid */
          owner_id: string;
        };
        reply: components["schemas"]["OwnerPaymentSettings"];
      };
      /** @description Update the payment settings of an owner. Fields that are left out keep their values. null removes a value. The nominal account is set as a whole. Its number must match its BIK; replies show only the last four digits. `tax` is what fiscal receipts say about the seller: tax number (INN) with right check digits, name, phone and rate of value-added tax. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      updateOwnerPaymentSettings: {
        input: {
          /** Format: uuid */
          owner_id: string;
        } & components["schemas"]["OwnerPaymentSettingsUpdate"];
        reply: components["schemas"]["OwnerPaymentSettings"];
      };
      /** @description Get own payment settings */
      getOwnPaymentSettings: {
        reply: components["schemas"]["OwnerPaymentSettings"];
      };
      /** @description Update own payment settings. Fields that are left out keep their values. null removes a value. The nominal account is set as a whole. Its number must match its BIK; replies show only the last four digits. `tax` is what fiscal receipts say about the seller: tax number (INN) with right check digits, name, phone and rate of value-added tax. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      updateOwnPaymentSettings: {
        input: components["schemas"]["OwnerPaymentSettingsUpdate"];
        reply: components["schemas"]["OwnerPaymentSettings"];
      };
      /** @description List saved payment methods. The default first, then the newest. Cards that could not be saved are left out. */
      listPaymentMethods: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["PaymentMethod"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Save a payment method. A card is entered on the page of the provider: redirect the user to `redirect_url` while the status is `requires_action`. SBP, and wallets that the provider cannot save, are stored as a preference and active at once. */
      addPaymentMethod: {
        input: {
          /** @enum {string} */
          method: "card" | "sbp" | "wallet";
          provider?: string;
        };
        reply: components["schemas"]["StartedPaymentMethod"];
      };
      /** @description Get a saved payment method. While the method awaits confirmation, its current state is requested from the provider. */
      getPaymentMethod: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["StartedPaymentMethod"];
      };
      /** @description Remove a payment method. It can no longer be used. If it was the default, the newest active method becomes the default. */
      removePaymentMethod: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description Make a payment method the default */
      setDefaultPaymentMethod: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["StartedPaymentMethod"];
      };
      /** @description List reconciliations. Newest first. Each run compares all payments that may differ from those of their provider. */
      listReconciliations: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["Reconciliation"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Start a reconciliation. It runs in the background; `GET` shows its progress. */
      startReconciliation: {
        reply: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description Get a reconciliation with its differences. Differences that remain after the state of the provider was applied. */
      getReconciliation: {
        input: {
          /** Format: uuid */
          id: string;
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: components["schemas"]["ReconciliationReport"];
      };
      /** @description Request the posting of a chargeback. The payer's bank took back the money of an item of the payment; `item_id` is required if it has several. By default the whole amount of the item. With its other chargebacks and its refunds, it cannot be more than was paid; its money is not refunded while it is not decided. It is taken from the seller's share first, then from the commission, then from the platform; the seller owes what was already released. Then a booking that is still ahead, and of which nothing is paid any more, is cancelled, so that its places are sold again; `keeps_booking` keeps it. The payer and the seller are told. Another admin must approve it (`/approve`), who neither made the first an admin within 90 days nor was made one by them; nothing is posted before. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      requestChargeback: {
        input: components["schemas"]["NewChargeback"];
        reply: components["schemas"]["AdjustmentStatus"];
      };
      /** @description Request to record that a chargeback was won. The payer's bank has given all the money of a posted chargeback back. It is then where it was taken from: in the seller's share, in the commission and in what the platform lost. Ski passes that only this chargeback blocked open gates again. A booking that was cancelled stays cancelled: what its guest should have back is refunded as usual, within the dispute window; after that, the share is the seller's. The payer and the seller are told. Another admin must approve it (`/approve`), who neither made the first an admin within 90 days nor was made one by them; nothing is posted before. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      requestWonChargeback: {
        input: {
          /** Format: uuid */
          id: string;
        } & {
          /** @description Why, for auditors. Must not contain personal data. */
          reason: string;
        };
        reply: components["schemas"]["AdjustmentStatus"];
      };
      /** @description Create a payout. Reserves the amount, by default the whole available balance in the currency. Make the bank transfer; another admin records it with `paid`, or any admin that it has `failed`. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      createPayout: {
        input: {
          /** Format: uuid */
          owner_id: string;
          currency: string;
          amount?: number;
        };
        reply: components["schemas"]["RequestedPayout"];
      };
      /** @description List payouts */
      listPayouts: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          status?: "requested" | "paid" | "failed";
          /** Format: uuid */
          owner_id?: string;
        };
        reply: {
          data: components["schemas"]["Payout"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Record that a payout was paid. By another admin than the one who created it; nobody counts as another beside an admin whom they made an admin within 90 days. Repeated with another reference, it is a conflict. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      markPayoutPaid: {
        input: {
          /** Format: uuid */
          id: string;
        } & {
          /** @description The reference of the bank transfer. */
          reference: string;
        };
        reply: components["schemas"]["SettledPayout"];
      };
      /** @description Record that a payout failed. The amount returns to the available balance of the owner. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      markPayoutFailed: {
        input: {
          /** Format: uuid */
          id: string;
        } & {
          reason: string;
        };
        reply: components["schemas"]["SettledPayout"];
      };
      /** @description List own payouts */
      listOwnPayouts: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          status?: "requested" | "paid" | "failed";
        };
        reply: {
          data: components["schemas"]["Payout"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description List ledger entries. Newest first. Debits are positive, credits negative. */
      listLedgerEntries: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** Format: date-time */
          from?: string;
          /**
           * Format: date-time
           * @description End of the period, not included.
           */
          to?: string;
          account?: string;
          /** Format: uuid */
          owner_id?: string;
          /** Format: uuid */
          payment_id?: string;
        };
        reply: {
          data: components["schemas"]["LedgerEntry"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description List the balances of all ledger accounts. Debits are positive, credits negative. The sum over all accounts is zero in every currency. */
      listLedgerBalances: {
        reply: {
          accounts: components["schemas"]["LedgerAccount"][];
          sums: {
              currency: string;
              sum: number;
              sum_minor: number;
            }[];
        };
      };
      /** @description Get your balance. One balance for each currency. */
      getOwnBalance: {
        reply: {
          balances: components["schemas"]["OwnerBalance"][];
        };
      };
      /** @description Get your statement. Oldest first, with the balance after each entry. Income is positive. `opening` and `closing` are the balances of the period, not of the page. */
      getOwnStatement: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** Format: date-time */
          from?: string;
          /**
           * Format: date-time
           * @description End of the period, not included.
           */
          to?: string;
          currency: string;
          /**
           * @description Only this account. Default: all three, including transfers between them.
           * @enum {string}
           */
          account?: "held" | "available" | "payout";
        };
        reply: components["schemas"]["Statement"];
      };
      /** @description Get the statement of an owner */
      getOwnerStatement: {
        input: {
          /** Format: uuid */
          owner_id: string;
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** Format: date-time */
          from?: string;
          /**
           * Format: date-time
           * @description End of the period, not included.
           */
          to?: string;
          currency: string;
          /**
           * @description Only this account. Default: all three, including transfers between them.
           * @enum {string}
           */
          account?: "held" | "available" | "payout";
        };
        reply: components["schemas"]["Statement"];
      };
      /** @description Post a settlement of a payment provider. What the provider has paid to our bank (`amount`; negative when it took money), and the fee that it kept, as its registry and the bank statement say. `clearing:<provider>` is then what the provider still owes. A reference is posted once: typed with other spaces, letter case or forms of its characters, it is a conflict. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      postSettlement: {
        input: components["schemas"]["NewSettlement"];
        reply: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description Request a correction of the ledger. Debits one account and credits another: bank, fees, losses, commission, `clearing:<provider>`, `service:<type>` or `available:<owner>`. Another admin must approve it (`/approve`), who neither made the first an admin within 90 days nor was made one by them; nothing is posted before. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      requestCorrection: {
        input: components["schemas"]["NewCorrection"];
        reply: components["schemas"]["AdjustmentStatus"];
      };
      /** @description List adjustments of the ledger. Corrections, chargebacks and chargebacks that were won, newest first. `requested` ones wait for another admin. */
      listAdjustments: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          status?: "requested" | "approved" | "rejected";
        };
        reply: {
          data: components["schemas"]["LedgerAdjustment"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Approve an adjustment of the ledger. By another admin than the one who requested it, who neither made them an admin within 90 days nor was made one by them. Where no admin is left who may: 409 with what to do. A chargeback is posted in the background. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      approveAdjustment: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["AdjustmentStatus"];
      };
      /** @description Reject an adjustment of the ledger. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      rejectAdjustment: {
        input: {
          /** Format: uuid */
          id: string;
        } & {
          /** @description Why, for auditors. Must not contain personal data. */
          reason: string;
        };
        reply: components["schemas"]["AdjustmentStatus"];
      };
      /** @description List commission rules and their changes. The first rule that exists applies, in this order: owner, type and role, role, global, default. `history` has the last 50 changes, newest first; a null rate means that the rule was removed. */
      listCommissionRules: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["CommissionRule"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
          default: components["schemas"]["CommissionRate"];
          history: components["schemas"]["CommissionChange"][];
        };
      };
      /** @description Preview the commission of a booking */
      previewCommission: {
        input: {
          /** Format: uuid */
          owner_id: string;
          /** @enum {string} */
          type: "hotel" | "tour" | "restaurant" | "transfer" | "instructor";
          /** @description In major units. */
          total: number;
          /** @default RUB */
          currency?: string;
        };
        reply: {
          /** @enum {string} */
          rule: "owner" | "type_role" | "role" | "global" | "default";
          rate_bps: number;
          /** @description At most two decimals. */
          rate_percent: number;
          total: number;
          total_minor: number;
          commission: number;
          commission_minor: number;
          provider: number;
          provider_minor: number;
          currency: string;
        };
      };
      /** @description Get the commission rates of roles. A rate with a `type` applies only to bookings of that type. */
      getRoleCommissions: {
        reply: components["schemas"]["RoleCommissionRates"];
      };
      /** @description Replace the commission rates of all roles. Rates that are left out are removed. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      setRoleCommissions: {
        input: {
          rates: ({
              /** @enum {string} */
              role: "hotelier" | "tour_operator" | "transfer_provider" | "instructor" | "restaurant" | "restaurateur";
              type?: ("hotel" | "tour" | "restaurant" | "transfer" | "instructor") | null;
              rate_bps?: number;
              /** @description At most two decimals. */
              rate_percent?: number;
            })[];
        };
        reply: components["schemas"]["RoleCommissionRates"];
      };
      /** @description Get the global commission rate. Applies when no other rule does. `rule` is `default` until a global rate is set. */
      getGlobalCommission: {
        reply: components["schemas"]["CommissionRate"];
      };
      /** @description Set the global commission rate. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      setGlobalCommission: {
        input: {
          rate_bps?: number;
          /** @description At most two decimals. */
          rate_percent?: number;
        };
        reply: components["schemas"]["CommissionRate"];
      };
      /** @description Reset the global commission rate to the default. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      resetGlobalCommission: Record<string, never>;
      /** @description Get the commission rate of an owner */
      getOwnerCommission: {
        input: {
          /** Format: uuid */
          owner_id: string;
        };
        reply: components["schemas"]["OwnerCommissionRate"];
      };
      /** @description Set the commission rate of an owner. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      setOwnerCommission: {
        input: {
          /** Format: uuid */
          owner_id: string;
        } & {
          rate_bps?: number;
          /** @description At most two decimals. */
          rate_percent?: number;
        };
        reply: components["schemas"]["OwnerCommissionRate"];
      };
      /** @description Remove the commission rate of an owner. Succeeds also if the owner has no rate. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      removeOwnerCommission: {
        input: {
          /** Format: uuid */
          owner_id: string;
        };
      };
      /** @description Get credentials for the TURN server. The reply fits into `iceServers` of an `RTCPeerConnection`. */
      getTurnCredentials: {
        reply: components["schemas"]["TurnCredentials"];
      };
      /** @description Call somebody. Rings for 45 s at all devices of the callee, as `call.created` on `realtime:user_<id>`. `busy`: the callee is in another call. If the callee is calling you at this moment, that call is answered instead, and its id is returned; if you are in a call with each other, that call is returned. When the callee has accepted, send an offer on `call_<id>`. */
      createCall: {
        input: components["schemas"]["NewCall"];
        reply: components["schemas"]["Call"];
      };
      /** @description List own calls. Newest first, those that you made and those that you got. */
      listCalls: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          status?: "ringing" | "accepted" | "ended" | "missed" | "rejected" | "busy" | "failed";
        };
        reply: {
          data: components["schemas"]["Call"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Get your call */
      getCall: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["Call"];
      };
      /** @description Answer a call. The device whose session calls this first has the call. The others see `call.updated` with the status `accepted`, and stop ringing; if they answer too, they get 409 `answered_elsewhere`. */
      acceptCall: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["Call"];
      };
      /** @description Reject a call that rings */
      rejectCall: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["Call"];
      };
      /** @description End a call. A call that still rings is `missed` when the caller ends it, and `rejected` when the callee does. `reason: failed` says that no connection came about. A call that is over stays as it is. */
      endCall: {
        input: {
          /** Format: uuid */
          id: string;
        } & ({
          /** @enum {string} */
          reason?: "hung_up" | "failed";
        });
        reply: components["schemas"]["Call"];
      };
      /** @description Say that a call goes on. Optional, every 30 s by any device in the call. Once one was sent, the call ends when none came from either side for 2 minutes. Otherwise a call that nobody ends lasts 4 hours. An `Idempotency-Key` is accepted and has no effect: it only says that the device is still there. */
      sendCallHeartbeat: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description List own chats. Pinned ones first, then by the newest message. */
      listOwnChats: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          type?: "p2p" | "group" | "support";
          /** @description Only archived chats, or only others. */
          archived?: boolean;
        };
        reply: {
          data: components["schemas"]["Chat"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description List own chats: the same as `/chats/me`. Pinned ones first, then by the newest message. */
      listChats: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          type?: "p2p" | "group" | "support";
          /** @description Only archived chats, or only others. */
          archived?: boolean;
        };
        reply: {
          data: components["schemas"]["Chat"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Start a chat with a user, or a group. With `user_id` as `/chats/start`. With `title` it starts a group of up to 200 members, 49 of them in `member_ids`; the caller is its admin. */
      createChat: {
        input: components["schemas"]["NewChat"];
        reply: components["schemas"]["Chat"];
      };
      /** @description List own chats with one other person. Pinned ones first, then by the newest message. */
      listP2pChats: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @description Only archived chats, or only others. */
          archived?: boolean;
        };
        reply: {
          data: components["schemas"]["Chat"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Start a chat with a user. Two people have one chat, whoever starts it. A chat that the user has left is listed again. */
      startP2pChat: {
        input: {
          /** Format: uuid */
          user_id: string;
        };
        reply: components["schemas"]["Chat"];
      };
      /** @description Start a chat with a user. Two people have one chat, whoever starts it. A chat that the user has left is listed again. */
      startChat: {
        input: {
          /** Format: uuid */
          user_id: string;
        };
        reply: components["schemas"]["Chat"];
      };
      /** @description Get a chat with its members. For its members. Admins also see chats of the support. */
      getChat: {
        input: {
          /** Format: uuid */
          thread_id: string;
        };
        reply: components["schemas"]["Chat"];
      };
      /** @description Pin, mute or archive a chat for oneself */
      updateChat: {
        input: {
          /** Format: uuid */
          thread_id: string;
        } & {
          pinned?: boolean;
          muted?: boolean;
          archived?: boolean;
        };
        reply: components["schemas"]["Chat"];
      };
      /** @description Leave a chat. A group is left at once. A chat with one person or with the support is taken off the list until there is a new message. */
      leaveChat: {
        input: {
          /** Format: uuid */
          thread_id: string;
        };
      };
      /** @description Get a chat with its members. For its members. Admins also see chats of the support. */
      getP2pChat: {
        input: {
          /** Format: uuid */
          thread_id: string;
        };
        reply: components["schemas"]["Chat"];
      };
      /** @description Rename a group. Its admins can do this. */
      renameChat: {
        input: {
          /** Format: uuid */
          thread_id: string;
        } & {
          title: string;
        };
        reply: components["schemas"]["Chat"];
      };
      /** @description Add a member to a group. Its admins can do this. The new member sees the whole history. */
      addChatMember: {
        input: {
          /** Format: uuid */
          thread_id: string;
        } & {
          /** Format: uuid */
          account_id: string;
        };
        reply: components["schemas"]["Chat"];
      };
      /** @description Change the role of a member of a group. Its admins can do this. A group always has an admin. */
      updateChatMember: {
        input: {
          /** Format: uuid */
          thread_id: string;
          /** Format: uuid */
          account_id: string;
        } & ({
          /** @enum {string} */
          role: "member" | "admin";
        });
        reply: components["schemas"]["Chat"];
      };
      /** @description Remove a member from a group. Its admins can do this. The access of the member ends at once, also on open sockets. */
      removeChatMember: {
        input: {
          /** Format: uuid */
          thread_id: string;
          /** Format: uuid */
          account_id: string;
        };
      };
      /** @description Block the other person of a chat. Neither can write in the chat or follow it live any more; both keep reading it. The other person is not told. */
      blockChat: {
        input: {
          /** Format: uuid */
          thread_id: string;
        };
      };
      /** @description Unblock the other person of a chat */
      unblockChat: {
        input: {
          /** Format: uuid */
          thread_id: string;
        };
      };
      /** @description List the messages of a chat. By ascending number: the newest, or those before, after or around the number of a message. New messages do not move the pages. */
      listMessages: {
        input: {
          /**
           * Format: uuid
           * @description Of the chat.
           */
          id: string;
          /** @description Messages with a lower number. */
          before?: number;
          /** @description Messages with a higher number. */
          after?: number;
          /** @description This message, with those before and after it. */
          around?: number;
          /** @default 50 */
          limit?: number;
        };
        reply: {
          data: components["schemas"]["Message"][];
          next_cursor: number | null;
          prev_cursor: number | null;
        };
      };
      /** @description Edit a message. Its sender can do this for 24 hours. `/history` shows the former texts. Without `mentions` the same people are mentioned. */
      editMessage: {
        input: {
          /** Format: uuid */
          id: string;
        } & {
          body: string;
          mentions?: string[];
        };
        reply: components["schemas"]["Message"];
      };
      /** @description Delete a message. Its sender, an admin of the group or an admin of the platform can do this. The message stays as a tombstone that says who has deleted it. Who deletes that of somebody else gives a `reason` for the sender, who is told and can appeal. Admins need a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      deleteMessage: {
        input: {
          /** Format: uuid */
          id: string;
        } & {
          reason?: string;
        };
        reply: components["schemas"]["Message"];
      };
      /** @description Send a message. With a `client_message_id`, unique for the sender in the chat, a repeated request returns the first message. `mentions` are ids of members: they are told of the message on their own channel. `image` has pictures and `voice` one recording as `attachments`; `text` may have files of any kind. */
      sendMessage: {
        input: components["schemas"]["NewMessage"];
        reply: components["schemas"]["Message"];
      };
      /** @description Mark a message and all before it as read. It never goes back. Admins who answer for the support are no members, so that nothing is recorded for them. */
      readMessage: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: {
          /** Format: uuid */
          thread_id: string;
          /** @description Everything up to this number is read. */
          last_read_seq: number;
        };
      };
      /** @description Get the former texts of a message. For its sender, and for admins once somebody has reported the message. Others see only that it was edited. A deleted message has none; if its sender deleted it while a report was open, admins see what it said, and what was attached. One that a moderator has removed shows both to its sender too, with the reason; admins see it once the sender has appealed. Admins need a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      getMessageHistory: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["MessageHistory"];
      };
      /** @description Report a chat to the admins. They see who is in it, and no messages. Members can do this, and those who have left or were removed. */
      reportChat: {
        input: {
          /** Format: uuid */
          thread_id: string;
        } & {
          reason: string;
        };
        reply: components["schemas"]["FiledReport"];
      };
      /** @description Report a message to the admins. They see the message. Who has left the chat, or was removed, can report what they had read. */
      reportMessage: {
        input: {
          /** Format: uuid */
          id: string;
        } & {
          reason: string;
        };
        reply: components["schemas"]["FiledReport"];
      };
      /** @description List reports of chats and messages. The oldest first. What its author deleted while a report was open is in `GET /messages/{id}/history`. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      listChatReports: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          status?: "open" | "resolved";
        };
        reply: {
          data: components["schemas"]["ChatReport"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Resolve a report of chats and messages. `dismiss` changes nothing else. `remove`: the message is removed. A chat cannot be. It needs a `reason` for the sender of the message. Other open reports of the same are closed. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      resolveChatReport: {
        input: {
          /** Format: uuid */
          id: string;
        } & ({
          /** @enum {string} */
          action: "dismiss" | "remove";
          /** @description For the author. */
          reason?: string;
        });
      };
      /** @description Ask the support. Opens a ticket; its messages are those of the chat `thread_id`, where the person and the agents go on. A user has one open ticket: while there is one, the message is sent there. A message to a resolved ticket opens it again. */
      createSupportTicket: {
        input: components["schemas"]["NewSupportTicket"];
        reply: components["schemas"]["SupportTicket"];
      };
      /** @description List own support tickets */
      listOwnSupportTickets: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["SupportTicket"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Resolve a support ticket. The person who has opened it and the agents can do this. It leaves the agent. A new message opens it again. */
      resolveSupportTicket: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["SupportTicket"];
      };
      /** @description List support tickets: the queue of the agents. Those that wait longest for an answer first. `status=waiting` are those that nobody has taken. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      listSupportTickets: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          status?: "waiting" | "assigned" | "answered" | "resolved";
          /** Format: uuid */
          agent_id?: string;
          /** Format: uuid */
          user_id?: string;
        };
        reply: {
          data: components["schemas"]["SupportTicket"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Take a support ticket. The agent has to answer until `answer_by`, otherwise the ticket goes back to the queue. Answers are messages in the chat `thread_id`. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      takeSupportTicket: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["SupportTicket"];
      };
      /** @description Return a support ticket to the queue. The agent who has taken it can do this. */
      returnSupportTicket: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["SupportTicket"];
      };
      /** @description Start a tracking session. A device that was offline starts it later, with the time at which it began to record: at most 72 hours ago. The session counts for the day on which it began at the resort. */
      startTrackingSession: {
        input: {
          /**
           * Format: date-time
           * @description Now unless given.
           */
          started_at?: string;
          /**
           * Format: date-time
           * @description When the device sent this request, by the clock that its other times come from: a clock that is a minute or more wrong is corrected by it.
           */
          sent_at?: string;
        };
        reply: components["schemas"]["TrackingSession"];
      };
      /** @description List own tracking sessions. The newest first. `from` and `to` are days at the resort, both included. */
      listTrackingSessions: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          status?: "open" | "finished";
          /** Format: date */
          from?: string;
          /** Format: date */
          to?: string;
        };
        reply: {
          data: components["schemas"]["TrackingSession"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Get your tracking session */
      getTrackingSession: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["TrackingSession"];
      };
      /** @description Remove a tracking session with its points */
      discardTrackingSession: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description Finish a tracking session. The summary is computed from the points that have arrived. For 72 hours, points that arrive later correct it within a minute. What was recorded after `finished_at` does not count. A session without points for hours is finished at its last point (`abandoned`): it takes later points, and can still be finished. */
      finishTrackingSession: {
        input: {
          /** Format: uuid */
          id: string;
        } & {
          /**
           * Format: date-time
           * @description Now unless given.
           */
          finished_at?: string;
          /**
           * Format: date-time
           * @description When the device sent this request, by the clock that its other times come from: a clock that is a minute or more wrong is corrected by it.
           */
          sent_at?: string;
        };
        reply: components["schemas"]["TrackingSession"];
      };
      /** @description Upload points of a tracking session. At most 1000 points, in any order. A point is known by its `seq`, so that a batch can be sent again: what the session has already is counted as duplicates. Points that are malformed or cannot be used are rejected one by one; sending them again does not help. Points of a finished session are accepted for 72 hours. An `Idempotency-Key` is accepted and has no effect: a point is known by its `seq`. */
      uploadTrackPoints: {
        input: {
          /** Format: uuid */
          id: string;
        } & {
          points: components["schemas"]["NewTrackPoint"][];
          /**
           * Format: date-time
           * @description When the device sent this request, by the clock that its other times come from: a clock that is a minute or more wrong is corrected by it.
           */
          sent_at?: string;
        };
        reply: components["schemas"]["UploadedPoints"];
      };
      /** @description List the points of a track. In the order of `seq`. For the owner, and while the track is shared for the viewers, who see the points since the share began. */
      listTrackPoints: {
        input: {
          /** Format: uuid */
          id: string;
          /**
           * @description A `next_after`.
           * @default -1
           */
          after?: number;
          /** @default 1000 */
          limit?: number;
        };
        reply: {
          data: components["schemas"]["TrackPoint"][];
          next_after: number | null;
        };
      };
      /** @description Download a track as GPX 1.1. For the owner. Points are kept for some weeks; afterwards the file has none. */
      downloadTrack: {
        input: {
          /** Format: uuid */
          id: string;
        };
        /** Format: binary */
        reply: Blob;
      };
      /** @description Share your track while it is recorded. The account can read the points from now on and subscribe to `tracking_{id}`. It cannot pass that on. A share ends at `expires_at`, with the session, and when it is revoked; again for the same account, it changes its end. At most 20 accounts at a time. */
      shareTrack: {
        input: {
          /** Format: uuid */
          id: string;
        } & {
          /** Format: uuid */
          account_id: string;
          /**
           * Format: date-time
           * @description At most 12 hours from now; 8 hours unless given. The end of the session comes first.
           */
          expires_at?: string;
        };
        reply: {
          /** Format: uuid */
          session_id: string;
          /** Format: uuid */
          account_id: string;
          /** Format: date-time */
          expires_at: string;
        };
      };
      /** @description List the accounts that your track is shared with */
      listTrackShares: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: {
          data: components["schemas"]["TrackShare"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Stop sharing a track with an account. Its subscription to the channel ends. */
      revokeTrackShare: {
        input: {
          /** Format: uuid */
          id: string;
          /** Format: uuid */
          account_id: string;
        };
      };
      /** @description List the tracks that others share with the caller now */
      listSharedTracks: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["SharedTrack"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Get own statistics by day, week or season. The newest period first; periods without a day are left out. Days are those of the resort, weeks begin on Monday. A day is what its finished sessions come to; what a device reported counts only on days without sessions. */
      getTrackingStats: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /**
           * @default day
           * @enum {string}
           */
          period?: "day" | "week" | "month" | "season";
          /**
           * Format: date
           * @description First day, included.
           */
          from?: string;
          /**
           * Format: date
           * @description Last day, included.
           */
          to?: string;
        };
        reply: {
          data: components["schemas"]["TrackingStats"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Report a day that a device has counted itself. For devices without points. Such a day is not verified and never part of a leaderboard. Again for the same day, it replaces what was reported. A day can be reported for 30 days. */
      reportTrackingDay: {
        input: components["schemas"]["NewTrackingDay"];
        reply: components["schemas"]["ReportedTrackingDay"];
      };
      /** @description Set a target for the week or the season. One for each metric and period: a second one replaces the first. Days that a device reported count, too. */
      setTrackingTarget: {
        input: components["schemas"]["NewTrackingTarget"];
        reply: components["schemas"]["TrackingTarget"];
      };
      /** @description List own targets with their progress */
      listTrackingTargets: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["TrackingTarget"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Remove your target */
      removeTrackingTarget: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description Get whether your track counts in comparisons. A track that was set aside waits for an admin. Own statistics count it in any case. */
      getTrackStanding: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["TrackStanding"];
      };
      /** @description List tracks that were set aside. What nobody can have skied: impossible speeds, drops and distances, simulated positions, the points of another track, two tracks of one person at the same time. They count for no leaderboard and no badge until they are released. What was decided last comes first. */
      listTrackReviews: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /**
           * @description All unless given.
           * @enum {string}
           */
          status?: "set_aside" | "disqualified" | "released";
        };
        reply: {
          data: components["schemas"]["TrackReview"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Disqualify a track. Also one that was not set aside. It leaves the leaderboards, closed ones included, and badges that were earned only with it are taken back. The owner keeps it in their statistics. */
      disqualifyTrack: {
        input: {
          /** Format: uuid */
          id: string;
        } & {
          /** @description Why, for the owner. */
          reason: string;
        };
      };
      /** @description Release a track that was set aside or disqualified. It counts again, also on a leaderboard that has closed since it was finished. */
      releaseTrack: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description Get whether the caller takes part in leaderboards */
      getLeaderboardParticipation: {
        reply: components["schemas"]["LeaderboardParticipation"];
      };
      /** @description Take part in leaderboards. Under a name that everybody sees, which need not be your own; again: under another name. A name that a moderator removed is refused. Boards that are not closed show what was done since they began. */
      joinLeaderboard: {
        input: {
          display_name: string;
        };
        reply: components["schemas"]["LeaderboardParticipation"];
      };
      /** @description Leave the leaderboards. No board shows the caller any more, closed ones included. */
      leaveLeaderboard: Record<string, never>;
      /** @description Get the leaderboard of the season. Of those who take part (`PUT /leaderboard/me`), by verified tracks: `vertical` and `distance` in metres, `runs`, ski `days`; never by speed. Periods are those of the resort. Whoever is signed in also sees their own rank. Tracks that were set aside do not count. */
      getLeaderboard: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /**
           * @default vertical
           * @enum {string}
           */
          metric?: "vertical" | "distance" | "runs" | "days";
          /**
           * Format: date
           * @description A day of the period, at the resort; today unless given.
           */
          date?: string;
          /**
           * @description 1: only the caller and friends, with ranks among them.
           * @enum {string}
           */
          friends?: "0" | "1";
          /**
           * @description 1: with what every score is made of.
           * @enum {string}
           */
          detailed?: "0" | "1";
        };
        reply: components["schemas"]["Leaderboard"];
      };
      /** @description Get the leaderboard of a day, week, month or season. Of those who take part (`PUT /leaderboard/me`), by verified tracks: `vertical` and `distance` in metres, `runs`, ski `days`; never by speed. Periods are those of the resort. Whoever is signed in also sees their own rank. Tracks that were set aside do not count. */
      getLeaderboardOfPeriod: {
        input: {
          /** @enum {string} */
          period: "day" | "week" | "month" | "season";
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /**
           * @default vertical
           * @enum {string}
           */
          metric?: "vertical" | "distance" | "runs" | "days";
          /**
           * Format: date
           * @description A day of the period, at the resort; today unless given.
           */
          date?: string;
          /**
           * @description 1: only the caller and friends, with ranks among them.
           * @enum {string}
           */
          friends?: "0" | "1";
          /**
           * @description 1: with what every score is made of.
           * @enum {string}
           */
          detailed?: "0" | "1";
        };
        reply: components["schemas"]["Leaderboard"];
      };
      /** @description Report a name on the leaderboards to the admins */
      reportLeaderboardName: {
        input: {
          /** Format: uuid */
          name_id: string;
        } & {
          reason: string;
        };
        reply: components["schemas"]["FiledReport"];
      };
      /** @description List reports of names on leaderboards. The oldest first. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      listLeaderboardNameReports: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          status?: "open" | "resolved";
        };
        reply: {
          data: components["schemas"]["LeaderboardNameReport"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Resolve a report of names on leaderboards. `dismiss` changes nothing else. `remove`: the person is shown without a name until they choose another one. It needs a `reason` for the person whose name it is. Other open reports of the same are closed. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      resolveLeaderboardNameReport: {
        input: {
          /** Format: uuid */
          id: string;
        } & ({
          /** @enum {string} */
          action: "dismiss" | "remove";
          /** @description For the author. */
          reason?: string;
        });
      };
      /** @description List badges that can be earned */
      listBadges: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["Badge"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description List own badges with progress. All that can be earned, and those of the caller that were retired since. Only verified tracks count. What is done counts within seconds. */
      listOwnBadges: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["OwnBadge"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Count who would get a badge. By what has been done so far. Nothing is stored. An `Idempotency-Key` is accepted and has no effect: it writes nothing. */
      previewBadge: {
        input: components["schemas"]["BadgePreview"];
        reply: {
          qualifying: number;
        };
      };
      /** @description Add a badge. It is awarded once to everybody who reaches `threshold`, and within minutes to those who have reached it before. It is never taken back because a rule changes; only when a record behind it is disqualified. */
      createBadge: {
        input: components["schemas"]["NewBadge"];
        reply: components["schemas"]["WrittenBadge"];
      };
      /** @description Get a badge, and how many people have it or have reached it */
      getBadge: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["AdminBadge"];
      };
      /** @description Replace the texts and the rule of a badge. People who have the badge keep it. People who have reached the new rule get it within minutes. */
      replaceBadge: {
        input: {
          /** Format: uuid */
          id: string;
        } & components["schemas"]["NewBadge"];
        reply: components["schemas"]["WrittenBadge"];
      };
      /** @description Retire a badge. Nobody gets it any more. People who have it keep it. */
      retireBadge: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description Get the state of the mountain. Open lifts and kilometres, snow and weather by station, avalanche danger, season and notices. What is older than it should be says so (`is_old`); what is not known is null. */
      getResortStatus: {
        reply: components["schemas"]["ResortStatus"];
      };
      /** @description List lifts. By name, with their states at this moment. `status` follows from what an operator has set, otherwise from the schedule. `queue_minutes` is null while nobody knows it. The channel `lift_queues` carries the changes. */
      listLifts: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          status?: "open" | "hold" | "scheduled" | "closed";
          /** @enum {string} */
          kind?: "cable_car" | "gondola" | "funicular" | "chair_lift" | "mixed_lift" | "drag_lift" | "t_bar" | "j_bar" | "platter" | "rope_tow" | "magic_carpet" | "railway";
        };
        reply: {
          data: components["schemas"]["LiftMarked"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Add a lift. Its geometry goes from the lower station to the upper one, with altitudes where they are known. */
      createLift: {
        input: components["schemas"]["NewLift"];
        reply: {
          /** Format: uuid */
          id: string;
          revision: number;
        };
      };
      /** @description List lifts. By name, with their states at this moment. `status` follows from what an operator has set, otherwise from the schedule. `queue_minutes` is null while nobody knows it. The channel `lift_queues` carries the changes. */
      listLiftsAtShortPath: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          status?: "open" | "hold" | "scheduled" | "closed";
          /** @enum {string} */
          kind?: "cable_car" | "gondola" | "funicular" | "chair_lift" | "mixed_lift" | "drag_lift" | "t_bar" | "j_bar" | "platter" | "rope_tow" | "magic_carpet" | "railway";
        };
        reply: {
          data: components["schemas"]["LiftMarked"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Get a lift */
      getLift: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["LiftMarked"];
      };
      /** @description Change a lift, open or close it, report its queue. What is left out stays. `status` counts against the schedule until `until`; the reply shows that of an opening without one. A reported `queue` counts for 30 minutes; null withdraws it. The queue has no revision: `If-Match` is about the lift. */
      updateLift: {
        input: {
          /** Format: uuid */
          id: string;
        } & components["schemas"]["LiftPatch"];
        reply: {
          /** Format: uuid */
          id: string;
          revision: number;
          /** @description What is set by hand; null: only the schedule counts. */
          override: ({
            /** @enum {string} */
            status: "open" | "closed" | "hold";
            until: string | null;
            reason: string | null;
          }) | null;
        };
      };
      /** @description Retire a lift. Lists no longer have it; its history stays. */
      retireLift: {
        input: {
          /** Format: uuid */
          id: string;
          reason?: string;
        };
      };
      /** @description Open, stop or close many lifts. All lifts, or those that `ids` names: for example all of them for wind. `auto` gives them back to their schedules. Opened without `until`, each follows its schedule again when it closes next, at the latest at midnight of the resort. Each lift is changed on its own; repeating the request completes one that was interrupted. */
      setLiftStatuses: {
        input: {
          /**
           * @description `hold`: stopped for a short time, with a reason. `auto`: back to the schedule.
           * @enum {string}
           */
          status: "open" | "closed" | "hold" | "auto";
          until?: string | null;
          reason?: string | null;
          ids?: string[];
        };
        reply: {
          /** @description The lifts that have changed. */
          changed: string[];
        };
      };
      /** @description List the changes of a lift. Newest first: who changed what. Changes by the clock are not among them. */
      listLiftChanges: {
        input: {
          /** Format: uuid */
          id: string;
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["ResortChange"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Get the typical waits at a lift. By weekday and quarter of an hour, from what was reported in the last 12 weeks. What is not listed was never reported. */
      getTypicalWaits: {
        input: {
          /** Format: uuid */
          id: string;
          /** @enum {string} */
          weekday?: "sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat";
        };
        reply: {
          /** Format: uuid */
          lift_id: string;
          timezone: string;
          data: components["schemas"]["TypicalWait"][];
        };
      };
      /** @description Be told when the wait at a lift gets short. Once, today, by a notification of the kind `queue`. Setting it again replaces the one that the caller has for this lift. 409 when the wait is below that already. */
      setQueueAlert: {
        input: {
          /** Format: uuid */
          id: string;
        } & {
          /** @default 10 */
          below_minutes?: number;
        };
        reply: components["schemas"]["QueueAlert"];
      };
      /** @description Remove a queue alert */
      removeQueueAlert: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description List own queue alerts. Those that are still to be told, at most one for each lift. */
      listQueueAlerts: {
        reply: {
          data: components["schemas"]["QueueAlert"][];
        };
      };
      /** @description List slopes. By name, with their states at this moment. The channel `resort` carries the changes. */
      listSlopes: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          status?: "open" | "hold" | "scheduled" | "closed";
          /** @enum {string} */
          difficulty?: "novice" | "easy" | "intermediate" | "advanced" | "expert" | "freeride";
        };
        reply: {
          data: components["schemas"]["SlopeMarked"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Add a slope. Its geometry is a line downhill, or a field. `from_lifts`, `to_lifts` and `to_slopes` connect it. */
      createSlope: {
        input: components["schemas"]["NewSlope"];
        reply: {
          /** Format: uuid */
          id: string;
          revision: number;
        };
      };
      /** @description Get a slope */
      getSlope: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["SlopeMarked"];
      };
      /** @description Change a slope, open or close it, report that it was groomed. What is left out stays. `status` counts against the schedule until `until`; the reply shows that of an opening without one. */
      updateSlope: {
        input: {
          /** Format: uuid */
          id: string;
        } & components["schemas"]["SlopePatch"];
        reply: {
          /** Format: uuid */
          id: string;
          revision: number;
          /** @description What is set by hand; null: only the schedule counts. */
          override: ({
            /** @enum {string} */
            status: "open" | "closed" | "hold";
            until: string | null;
            reason: string | null;
          }) | null;
        };
      };
      /** @description Retire a slope. Lists no longer have it; its history stays. */
      retireSlope: {
        input: {
          /** Format: uuid */
          id: string;
          reason?: string;
        };
      };
      /** @description Open, stop or close many slopes. All slopes, or those that `ids` names: for example all of them for wind. `auto` gives them back to their schedules. Opened without `until`, each follows its schedule again when it closes next, at the latest at midnight of the resort. Each slope is changed on its own; repeating the request completes one that was interrupted. */
      setSlopeStatuses: {
        input: {
          /**
           * @description `hold`: stopped for a short time, with a reason. `auto`: back to the schedule.
           * @enum {string}
           */
          status: "open" | "closed" | "hold" | "auto";
          until?: string | null;
          reason?: string | null;
          ids?: string[];
        };
        reply: {
          /** @description The slopes that have changed. */
          changed: string[];
        };
      };
      /** @description List the changes of a slope. Newest first: who changed what. Changes by the clock are not among them. */
      listSlopeChanges: {
        input: {
          /** Format: uuid */
          id: string;
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["ResortChange"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Set a station. A place where snow is measured and the weather is asked for. At most 20. */
      setResortStation: {
        input: {
          station: string;
        } & {
          name: string;
          longitude: number;
          latitude: number;
          altitude_m: number;
        };
        reply: components["schemas"]["ResortReport"];
      };
      /** @description Remove a station */
      removeResortStation: {
        input: {
          station: string;
        };
      };
      /** @description Report the snow at a station. By an admin, or by a sensor with an API key of the scope `snow:report`. An older measurement than the last one changes nothing, so it is safe to repeat with its `measured_at` and `sent_at`. */
      reportSnow: {
        input: {
          station: string;
        } & ({
          depth_cm: number;
          new24h_cm?: number | null;
          new48h_cm?: number | null;
          /**
           * Format: date-time
           * @description Now by default.
           */
          measured_at?: string;
          /**
           * Format: date-time
           * @description When the sensor sent the request, by the clock of `measured_at`: one that is a minute or more wrong is corrected by it.
           */
          sent_at?: string;
        });
        reply: components["schemas"]["ResortReport"];
      };
      /** @description Report the avalanche danger. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      reportAvalancheDanger: {
        input: {
          danger: ({
            /** @description From 1 (low) to 5 (very high). */
            level: number;
            text: string | null;
            valid_until: string | null;
          }) | null;
        };
        reply: components["schemas"]["ResortReport"];
      };
      /** @description Set the dates of the season */
      setResortSeason: {
        input: {
          season: {
            /** Format: date */
            from: string;
            /**
             * Format: date
             * @description The last day.
             */
            until: string;
          } | null;
        };
        reply: components["schemas"]["ResortReport"];
      };
      /** @description Post a notice for everybody. It is shown from `from` until `until`. At most 50. */
      postResortNotice: {
        input: {
          /** @enum {string} */
          severity: "info" | "warning" | "danger";
          text: string;
          from?: string | null;
          until?: string | null;
        };
        reply: {
          /** Format: uuid */
          notice_id: string;
        };
      };
      /** @description Remove a notice */
      removeResortNotice: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description List webcams */
      listWebcams: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["WebcamMarked"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Get the picture of a webcam. At most a minute old while the camera answers, otherwise its last picture. */
      getWebcamSnapshot: {
        input: {
          /** Format: uuid */
          id: string;
        };
        /** Format: binary */
        reply: Blob;
      };
      /** @description Add a webcam. Its pictures are fetched from `snapshot_url`, whose host the operator has allowed (`WEBCAM_HOSTS`). */
      createWebcam: {
        input: components["schemas"]["NewWebcam"];
        reply: components["schemas"]["AdminWebcam"];
      };
      /** @description Get a webcam */
      getWebcam: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["AdminWebcam"];
      };
      /** @description Change a webcam */
      updateWebcam: {
        input: {
          /** Format: uuid */
          id: string;
        } & components["schemas"]["NewWebcam"];
        reply: components["schemas"]["AdminWebcam"];
      };
      /** @description Remove a webcam */
      deleteWebcam: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /**
       * @description Plan a day on the mountain. Lifts, slopes and lunch with times, the waits to be expected, and why each is there. Only what is open then, by its schedule and by what operators have set; no slope above `level`; back in time for the last lift. The same request gives the same plan while nothing changes.
       *
       * To plan again from where the person is: the same request with `from` = the lift or slope, `start` = now, and `to` = the place of the first plan. An app does so when a lift or slope of `depends_on` is no longer open: the channels `lift_queues` and `resort` tell it.
       *
       * A table is booked with the request in `booking`.
       */
      planDay: {
        input: {
          /**
           * Format: date-time
           * @description By default now.
           */
          start?: string;
          /**
           * Format: date-time
           * @description On the same day at the resort. By default when the lifts that run then close, less a margin.
           */
          end?: string;
          /**
           * @description The hardest slopes that the person skis.
           * @default intermediate
           * @enum {string}
           */
          level?: "novice" | "easy" | "intermediate" | "advanced" | "expert" | "freeride";
          /**
           * Format: uuid
           * @description The lift at whose lower station, or the slope at whose end the day begins. By default the lowest lift.
           */
          from?: string;
          /**
           * Format: uuid
           * @description The same for its end. By default where it begins.
           */
          to?: string;
          /** @description Separated by commas: lunch, vertical, distance, variety, groomed, short_waits, no_drag_lifts. */
          wishes?: string;
          /**
           * @description How many have lunch.
           * @default 1
           */
          guests?: number;
        };
        reply: components["schemas"]["PlanOfTheDay"];
      };
      /** @description Get the configuration of the planner */
      getPlanConfig: {
        reply: components["schemas"]["PlanConfig"];
      };
      /** @description Change the configuration of the planner. A JSON Merge Patch (RFC 7396): what is left out stays, null goes back to the default. `reason` is no member: it is kept in the history. With `dry_run=true` nothing is changed, and `samples` shows whole days of the next day on which lifts run, as they are planned now and as they would be. */
      updatePlanConfig: {
        input: {
          /** @default false */
          dry_run?: boolean;
        } & components["schemas"]["PlanConfigPatch"];
        reply: {
          /** @description Rises with every change. */
          revision: number;
          weights: {
            /** @description Points for each 100 m of descent. */
            vertical: number;
            /** @description Points for each kilometre of slopes. */
            distance: number;
            /** @description Points for a slope of just the level of the person. */
            level: number;
            /** @description Points for a slope that was groomed within a day. */
            groomed: number;
            /** @description Points for a lunch at a table that can be booked. */
            table: number;
            /** @description Points that 10 minutes on skis earn, on whatever slope, so that the day is filled; and that 10 minutes of waiting longer than usual cost. */
            waiting: number;
          };
          /** @description What a slope is worth again, as a part of what it was worth the time before on that day. */
          repeat_factor: number;
          /** @description By how much a wish raises the weight it is about. */
          wish_factor: number;
          /** @description So long before the last lift closes everybody is back. */
          back_margin_minutes: number;
          /** @description The usual wait: at a lift of which nothing is known. */
          default_wait_minutes: number;
          /** @description It begins between `from` and `until`, in the time of the resort. */
          lunch: {
            from: string;
            until: string;
            /** @description How long it takes. */
            minutes: number;
          };
          /** @description How fast people come down, with their stops, by the difficulty of the slope. */
          speeds_kmh: {
            novice: number;
            easy: number;
            intermediate: number;
            advanced: number;
            expert: number;
            freeride: number;
          };
          samples: components["schemas"]["PlanSample"][] | null;
        };
      };
      /** @description List the revisions of the configuration of the planner. Newest first, each as a whole, with who changed it and why. */
      listPlanConfigRevisions: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["PlanConfigRevision"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Record an event of an app. The answer is 202 also when events are rejected: sending those again does not help. Without the consent of the account to analytics, every event is rejected. `booked`, `paid`, `cancelled` are recorded by the platform itself. An `Idempotency-Key` is accepted and has no effect: an event is known by its `event_id`. */
      recordEvent: {
        input: components["schemas"]["NewAnalyticsEvent"];
        reply: components["schemas"]["RecordedEvents"];
      };
      /** @description List resort events. In the order in which they start; without `from`, those that are not over. The channel `content` tells of changes. It does not carry the number of attendees. */
      listEvents: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /**
           * @description Language of the texts; `Accept-Language` by default. A text that is not translated comes in the other.
           * @enum {string}
           */
          lang?: "ru" | "en";
          /** @description Words, or their beginnings. */
          q?: string;
          /**
           * Format: date-time
           * @description Events that end after this time.
           */
          from?: string;
          /**
           * Format: date-time
           * @description Events that start before this time.
           */
          to?: string;
        };
        reply: {
          data: components["schemas"]["ResortEventMarked"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Record events of an app. At most 500 events, which are checked one by one: one that is wrong does not refuse the others. The answer is 202 also when events are rejected: sending those again does not help. Without the consent of the account to analytics, every event is rejected. `booked`, `paid`, `cancelled` are recorded by the platform itself. An `Idempotency-Key` is accepted and has no effect: an event is known by its `event_id`. */
      recordEvents: {
        input: components["schemas"]["AnalyticsEventBatch"];
        reply: components["schemas"]["RecordedEvents"];
      };
      /** @description Get own metrics. Since the account exists; visits are forgotten after the time for which events are kept. */
      getOwnMetrics: {
        reply: components["schemas"]["OwnMetrics"];
      };
      /** @description Get the metrics of a seller. Of what the caller has sold. Days are those of the resort. */
      getProviderMetrics: {
        input: {
          /**
           * Format: date
           * @description First day at the resort; by default 30 days until `to`.
           */
          from?: string;
          /**
           * Format: date
           * @description Last day at the resort, included; today by default.
           */
          to?: string;
        };
        reply: components["schemas"]["ProviderMetrics"];
      };
      /** @description Get the metrics of the platform. Days are those of the resort. Bookings and money are exact and of everybody. Active people and cohorts are those of people who have consented to analytics, as far back as events are kept. */
      getGlobalMetrics: {
        input: {
          /**
           * Format: date
           * @description First day at the resort; by default 30 days until `to`.
           */
          from?: string;
          /**
           * Format: date
           * @description Last day at the resort, included; today by default.
           */
          to?: string;
        };
        reply: components["schemas"]["GlobalMetrics"];
      };
      /** @description Get a funnel of events. Attempts that began in the period. An attempt is a first step and the others after it in their order, within the window; anything may happen between them. A step belongs to the attempt that began last of those that have reached the step before it. Steps at the same instant are taken in the order of `steps`, whenever they arrived. Only people who have consented to analytics are counted. The largest groups come first, at most 100. */
      getFunnel: {
        input: {
          /**
           * Format: date
           * @description First day at the resort; by default 30 days until `to`.
           */
          from?: string;
          /**
           * Format: date
           * @description Last day at the resort, included; today by default.
           */
          to?: string;
          /** @description Names of events, comma-separated, 2 to 8 different ones. */
          steps: string;
          /**
           * @description Seconds from the first step in which the others have to follow.
           * @default 86400
           */
          window?: number;
          /**
           * @description `once`: each person counts once, by the attempt that got farthest. `any`: all attempts count.
           * @default once
           * @enum {string}
           */
          mode?: "once" | "any";
          /** @description Of the first step: its `kind`, or a property (`properties.<name>`). */
          group_by?: string;
        };
        reply: components["schemas"]["Funnel"];
      };
      /** @description Ask for help. Alerts the rescuers. Every field may be missing: positions can follow. A repeated request adds to the incident that is active, and tells the rescuers again unless they were told or have answered minutes ago. It is never limited, and an access token is accepted for a day after it has expired. Whatever is wrong with the body, help is asked for without what cannot be understood, and `ignored` names it. Every problem has a `rescue_phone`. 503 `sos_delayed`: the request is kept and is delivered later; `incident_id` is the incident to which positions can be sent. An `Idempotency-Key` is accepted and has no effect: a repeat adds to the incident that is active. */
      requestSos: {
        input: components["schemas"]["SosRequest"];
        reply: components["schemas"]["SosReceipt"];
      };
      /** @description Send positions after an SOS request. In any order; `at` is when the device was there, now by default. Send `sent_at` too: rescuers are shown the newest position, which a wrong clock would hide. Never limited, and what cannot be understood is left out and named in `ignored`. They are added to the active incident of the person, whichever one the address names. 202: kept, and added as soon as the event store takes it. 409 `invalid_transition`: the incident has ended, so that no more positions are needed. An `Idempotency-Key` is accepted and has no effect: a position that is sent again changes nothing. */
      sendSosPositions: {
        input: {
          /** Format: uuid */
          id: string;
        } & components["schemas"]["SosPositions"];
        reply: components["schemas"]["SosReceipt"];
      };
      /** @description List SOS incidents. Newest first. The channel `sos_board` has every change. */
      listSosIncidents: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          status?: "new" | "acknowledged" | "dispatched" | "resolved" | "false_alarm";
          /** @description Whether they have not ended. */
          active?: boolean;
        };
        reply: {
          data: components["schemas"]["SosIncident"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description List own SOS incidents */
      listOwnSosIncidents: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          status?: "new" | "acknowledged" | "dispatched" | "resolved" | "false_alarm";
          /** @description Whether they have not ended. */
          active?: boolean;
        };
        reply: {
          data: components["schemas"]["SosIncident"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Get an SOS incident. One of yours; admins see all. */
      getSosIncident: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["SosIncident"];
      };
      /** @description Acknowledge an SOS request. Nobody else is told of it any more. */
      acknowledgeSos: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["SosIncident"];
      };
      /** @description Record that rescuers are on their way */
      dispatchSos: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["SosIncident"];
      };
      /** @description End an SOS incident. Its person was helped. The device is told to send no more positions. */
      resolveSos: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["SosIncident"];
      };
      /** @description End an SOS incident as a false alarm. By an admin, or by the person who asked for help, who can do this 10 times a day. */
      markSosFalseAlarm: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["SosIncident"];
      };
      /** @description Get who is on duty for SOS requests */
      getSosDuty: {
        reply: components["schemas"]["SosDuty"];
      };
      /** @description Set who is on duty for SOS requests. Replaces the list. The first on duty is told at once, the next one a minute later unless somebody has acknowledged the request, and in the end all admins. People who have no phone, or are no admins any more, are passed over at once. Without `from` or `until` a shift has no beginning or end. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      setSosDuty: {
        input: components["schemas"]["NewSosDuty"];
        reply: components["schemas"]["SosDuty"];
      };
      /** @description List own notifications. The newest first, for a year. New ones do not move the pages. Texts are in the language of the caller. */
      listNotifications: {
        input: {
          /** @description Notifications with a lower `seq`. */
          cursor?: number;
          /**
           * @description Only those that are not read.
           * @default false
           */
          unread?: boolean;
          /** @enum {string} */
          kind?: "booking" | "queue" | "friend" | "chat" | "review" | "badge" | "favorite" | "statement" | "marketing" | "system";
          /** @default 50 */
          limit?: number;
        };
        reply: {
          data: components["schemas"]["Notification"][];
          next_cursor: number | null;
        };
      };
      /** @description Count unread notifications. What `notification_inbox.updated` on `realtime:user_<id>` says; `count` is the same as `unread`. */
      countUnreadNotifications: {
        reply: {
          count: number;
          unread: number;
          /** @description The highest number that was given so far. */
          last_seq: number;
          /** @description All up to this number were marked as read at once. */
          read_up_to: number;
        };
      };
      /** @description Mark all notifications as read. All, or those up to the highest `seq` that the person has seen: what arrives meanwhile then stays unread. The other devices are told live. */
      markAllNotificationsRead: {
        input: components["schemas"]["ReadNotifications"];
        reply: components["schemas"]["NotificationInbox"];
      };
      /** @description Mark a notification as read */
      markNotificationRead: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["Notification"];
      };
      /** @description Delete a notification */
      deleteNotification: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description Get own notification preferences. Whatever is switched off is still listed in `/notifications`. What concerns the safety of a person or their account is always sent. In quiet hours pushes wait, except for urgent ones. `email_stopped` says since when and why e-mails do not reach the address of the account: there is no such mailbox (`refused`), an e-mail came back (`bounced`), or was called spam (`complained`); these start again with another address. Or the last e-mail was refused: the mail server cannot send to such an address (`unsupported`), the mailbox is full (`full`), or the mail server takes no e-mails of this system (`blocked`). */
      getNotificationPreferences: {
        reply: components["schemas"]["NotificationPreferences"];
      };
      /** @description Change own notification preferences. Fields that are not sent stay. Whatever is switched off is still listed in `/notifications`. What concerns the safety of a person or their account is always sent. In quiet hours pushes wait, except for urgent ones. `email_stopped` says since when and why e-mails do not reach the address of the account: there is no such mailbox (`refused`), an e-mail came back (`bounced`), or was called spam (`complained`); these start again with another address. Or the last e-mail was refused: the mail server cannot send to such an address (`unsupported`), the mailbox is full (`full`), or the mail server takes no e-mails of this system (`blocked`). */
      changeNotificationPreferences: {
        input: components["schemas"]["NotificationPreferencesUpdate"];
        reply: components["schemas"]["NotificationPreferences"];
      };
      /** @description List news. Newest first. The channel `content` tells of changes. */
      listNews: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /**
           * @description Language of the texts; `Accept-Language` by default. A text that is not translated comes in the other.
           * @enum {string}
           */
          lang?: "ru" | "en";
          /** @description Words, or their beginnings. */
          q?: string;
        };
        reply: {
          data: components["schemas"]["NewsItem"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Get a news item */
      getNewsItem: {
        input: {
          /** Format: uuid */
          id: string;
          /**
           * @description Language of the texts; `Accept-Language` by default. A text that is not translated comes in the other.
           * @enum {string}
           */
          lang?: "ru" | "en";
        };
        reply: components["schemas"]["NewsItem"];
      };
      /** @description List promotions. Newest first. The channel `content` tells of changes. */
      listPromotions: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /**
           * @description Language of the texts; `Accept-Language` by default. A text that is not translated comes in the other.
           * @enum {string}
           */
          lang?: "ru" | "en";
          /** @description Words, or their beginnings. */
          q?: string;
        };
        reply: {
          data: components["schemas"]["Promotion"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Get a promotion */
      getPromotion: {
        input: {
          /** Format: uuid */
          id: string;
          /**
           * @description Language of the texts; `Accept-Language` by default. A text that is not translated comes in the other.
           * @enum {string}
           */
          lang?: "ru" | "en";
        };
        reply: components["schemas"]["Promotion"];
      };
      /** @description Subscribe to the resort events (iCalendar). For calendar apps: the events of the last 30 days and all later ones, at most 500. */
      getEventsCalendar: {
        input: {
          /**
           * @description Language of the texts; `Accept-Language` by default. A text that is not translated comes in the other.
           * @enum {string}
           */
          lang?: "ru" | "en";
        };
        /** Format: binary */
        reply: Blob;
      };
      /** @description Get a resort event */
      getEvent: {
        input: {
          /** Format: uuid */
          id: string;
          /**
           * @description Language of the texts; `Accept-Language` by default. A text that is not translated comes in the other.
           * @enum {string}
           */
          lang?: "ru" | "en";
        };
        reply: components["schemas"]["ResortEventMarked"];
      };
      /** @description Get a resort event for a calendar (iCalendar) */
      getEventCalendar: {
        input: {
          /** Format: uuid */
          id: string;
          /**
           * @description Language of the texts; `Accept-Language` by default. A text that is not translated comes in the other.
           * @enum {string}
           */
          lang?: "ru" | "en";
        };
        /** Format: binary */
        reply: Blob;
      };
      /** @description Say that you come to an event */
      announceAttendance: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description Take back that you come to an event */
      withdrawAttendance: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description List the events that the current user comes to. Those that are not over, in the order in which they start. */
      listOwnEvents: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /**
           * @description Language of the texts; `Accept-Language` by default. A text that is not translated comes in the other.
           * @enum {string}
           */
          lang?: "ru" | "en";
        };
        reply: {
          data: components["schemas"]["ResortEventMarked"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description List news, promotions and events. Also drafts, scheduled and expired ones, with their texts in both languages. */
      listPosts: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          kind?: "news" | "promotion" | "event";
          /** @enum {string} */
          state?: "draft" | "scheduled" | "published" | "expired";
          q?: string;
        };
        reply: {
          data: components["schemas"]["AdminPost"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Write a news item, promotion or event. Everybody sees it from `publish_at` until `expires_at`. Without `publish_at` it is a draft. An event needs `happening`. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      createPost: {
        input: components["schemas"]["NewPost"];
        reply: components["schemas"]["AdminPost"];
      };
      /** @description Get a news item, promotion or event */
      getPost: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["AdminPost"];
      };
      /** @description Update a news item, promotion or event. Fields that are left out keep their values; `texts`, `images` and `happening` are replaced as a whole. `publish_at: null` takes it back to the drafts. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      updatePost: {
        input: {
          /** Format: uuid */
          id: string;
        } & components["schemas"]["PostUpdate"];
        reply: components["schemas"]["AdminPost"];
      };
      /** @description Delete a news item, promotion or event. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      deletePost: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description List who comes to an event. In the order in which they said so. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      listAttendees: {
        input: {
          /** Format: uuid */
          id: string;
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["Attendee"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Export everything that is held about you. One JSON document: `schema_version` (1), `exported_at`, `account_id` and `data`. `data` has a list for each section: one for each read model and durable table that holds something about people, `messages_received` with what others sent to you, and `personal_events` with what the event log has of yours, also former values. All sections are of one instant. A document that is not read to its end within 15 minutes is cut off: ask for the archive. Each tracking session has the address of its GPX file (`gpx_url`). Files are listed with their ids: `GET /attachments/{id}` gives a link to each that is not withheld. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      exportMe: {
        reply: string;
      };
      /** @description Ask for an archive of your data and files. A ZIP with the document of [the export](#/operations/exportMe) and your files. It is made in the background, one at a time for each account; a former one is deleted. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      requestExportArchive: {
        reply: components["schemas"]["ExportArchive"];
      };
      /** @description Get the state and the link of your archive. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      getExportArchive: {
        reply: components["schemas"]["ExportArchive"];
      };
      /** @description Download an archive of an export. Use the `url` of [its state](#/operations/getExportArchive). */
      downloadExportArchive: {
        input: {
          /** Format: uuid */
          id: string;
          /** @description Of the link, seconds since 1970. */
          expires?: number;
          signature?: string;
        };
        /** Format: binary */
        reply: Blob;
      };
      /** @description Delete your account and everything personal. Cannot be undone, unless the operator has set a grace period: your sessions and listings then end at once, and signing in before `due_at` keeps the account. The key that your personal data is encrypted with is destroyed, saved cards are removed at the providers, sessions and devices end, files and tracks are deleted. Bookings and payments keep their ids and amounts. What stands in the way is answered as 409 with `reasons`: bookings to come, ski passes and insurance that are not over, money between you and the platform, being the last admin. `settle=cancel` first cancels the bookings and purchases, with the refunds that their policies give; what you have sold and is still to come is refunded to its guests in full. Money that is still due to a seller then, such as for stays that have ended, does not stand in the way: the account closes at once (`pending`), the money is released and paid out to your bank account, and everything personal is deleted after 30 days. What you owe stands in the way. If there are so many that some are left after 2 seconds, the account closes at once (`pending`), and the others are cancelled in the background, as their policies say then; it is erased an hour after the request, or as soon after that as nothing is left. What cannot be cancelled keeps the account until it is over, for 30 days at most. Signing in before keeps the account, and what is left of the bookings. If the reply was lost, send the request again with the same access token: it changes nothing more and answers the same `certificate_id`. [The export](#/operations/exportMe) comes first: afterwards there is nothing to export. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. An `Idempotency-Key` is accepted and has no effect: a repeat with the same access token gets the same certificate. */
      deleteMe: {
        input: {
          /**
           * @description Cancels bookings that are still to come, and ski passes and insurance that are not over, and has what is due to a seller paid out first.
           * @enum {string}
           */
          settle?: "cancel";
        };
        reply: components["schemas"]["ErasedAccount"];
      };
      /** @description Get the certificate of an erasure. What was erased where, and when. It does not say who: its id is known to the person who was erased. */
      getErasureCertificate: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["ErasureCertificate"];
      };
      /** @description List certificates of erasures. The newest first. */
      listErasureCertificates: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["ErasureCertificate"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description List the categories of the forums. By their position. */
      listForumCategories: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["ForumCategory"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Create a category of the forums */
      createForumCategory: {
        input: components["schemas"]["NewForumCategory"];
        reply: components["schemas"]["ForumCategory"];
      };
      /** @description Update a category of the forums. Fields that are left out keep their values. */
      updateForumCategory: {
        input: {
          /** Format: uuid */
          id: string;
        } & components["schemas"]["ForumCategoryUpdate"];
        reply: components["schemas"]["ForumCategory"];
      };
      /** @description Delete a category of the forums. It must have no topics: move them first. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      deleteForumCategory: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description List the topics of a category. Pinned ones first, then by the newest post. People who are signed in see what they have not read. */
      listForumTopics: {
        input: {
          /** Format: uuid */
          id: string;
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["ForumTopicSeenMarked"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Get a topic */
      getForumTopic: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["ForumTopicSeenMarked"];
      };
      /** @description Update a topic. Its author can rename it. Admins can also move, pin and lock it: only admins write in a locked topic. Admins need a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      updateForumTopic: {
        input: {
          /** Format: uuid */
          id: string;
        } & components["schemas"]["ForumTopicUpdate"];
        reply: components["schemas"]["ForumTopicSeen"];
      };
      /** @description Delete your topic. While it has only its first post. While a report of this post is open, admins keep seeing what it said, and for 30 days its pictures. */
      deleteForumTopic: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description Start a topic with its first post. `mentions` are account ids: these people are told. Send an `Idempotency-Key`, so that a repeated request starts no second topic. */
      createForumTopic: {
        input: components["schemas"]["NewForumTopic"];
        reply: components["schemas"]["ForumTopicSeen"];
      };
      /** @description List the posts of a topic. By ascending number: the newest, or those before, after or around the number of a post; `after=0` begins with the first one. New posts do not move the pages. */
      listForumPosts: {
        input: {
          /** Format: uuid */
          id: string;
          /** @description Posts with a lower number. */
          before?: number;
          /** @description Posts with a higher number. */
          after?: number;
          /** @description This post, with those before and after it. */
          around?: number;
          /** @default 50 */
          limit?: number;
        };
        reply: {
          data: components["schemas"]["ForumPostSeen"][];
          next_cursor: number | null;
          prev_cursor: number | null;
        };
      };
      /** @description Write a post in a topic. With a `client_post_id`, unique for the author in the topic, a repeated request returns the first post. `mentions` are account ids: these people are told. `quotes` are posts of the topic that this one quotes: it refers to them, and does not copy them. */
      createForumPost: {
        input: {
          /** Format: uuid */
          id: string;
        } & components["schemas"]["NewForumPost"];
        reply: components["schemas"]["ForumPostSeen"];
      };
      /** @description Get a post */
      getForumPost: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["ForumPostSeen"];
      };
      /** @description Edit your post. For 7 days. Without `mentions` the same people are mentioned. */
      updateForumPost: {
        input: {
          /** Format: uuid */
          id: string;
        } & components["schemas"]["ForumPostUpdate"];
        reply: components["schemas"]["ForumPostSeen"];
      };
      /** @description Delete your post. It stays as a tombstone, so that numbers and replies keep their meaning. Its pictures are deleted. While a report of it is open, admins keep seeing what it said, and for 30 days its pictures. */
      deleteForumPost: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["ForumPostSeen"];
      };
      /** @description Get the former texts of a post. For its author and admins, also once a moderator has removed it. Others see only that it was edited. A deleted post has none; if its author deleted it while a report was open, admins see what it said, and its pictures. Admins need a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      getForumPostHistory: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["ForumPostHistory"];
      };
      /** @description Mark a topic as read up to a post. It never goes back, and not beyond the newest post. */
      readForumTopic: {
        input: {
          /** Format: uuid */
          id: string;
        } & {
          /** @description The number of the post. */
          seq: number;
        };
        reply: {
          /** Format: uuid */
          topic_id: string;
          /** @description Everything up to this number is read. */
          last_read_seq: number;
        };
      };
      /** @description React to a post. One reaction of a person to a post: another one replaces it. */
      reactToForumPost: {
        input: {
          /** Format: uuid */
          id: string;
        } & ({
          /** @enum {string} */
          kind: "like" | "thanks" | "helpful" | "funny" | "sad";
        });
      };
      /** @description Withdraw the reaction to a post */
      withdrawForumReaction: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description Search posts. Posts with all of the words, and first posts of topics whose title has them. The newest first. Of words that many posts have, `total` counts those that were found for the page. */
      searchForums: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @description Words, or their beginnings. */
          q: string;
          /** Format: uuid */
          category_id?: string;
        };
        reply: {
          data: components["schemas"]["ForumPostFound"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Report a post to the admins. Whoever is reported by several people may write less, until an admin has dismissed the reports. */
      reportForumPost: {
        input: {
          /** Format: uuid */
          id: string;
        } & {
          reason: string;
        };
        reply: components["schemas"]["FiledReport"];
      };
      /** @description List reports of posts in the forums. The oldest first. What its author deleted while a report was open is in `GET /forums/posts/{id}/history`. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      listForumReports: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          status?: "open" | "resolved";
        };
        reply: {
          data: components["schemas"]["ForumReport"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Resolve a report of posts in the forums. `dismiss` changes nothing else. `remove`: the post is removed. It needs a `reason` for the author of the post. Other open reports of the same are closed. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      resolveForumReport: {
        input: {
          /** Format: uuid */
          id: string;
        } & ({
          /** @enum {string} */
          action: "dismiss" | "remove";
          /** @description For the author. */
          reason?: string;
        });
      };
      /** @description Remove a post of the forums. Only its author and admins see what it says then. Its author is told, and can appeal. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      removeForumPost: {
        input: {
          /** Format: uuid */
          id: string;
        } & {
          /** @description For the author. */
          reason: string;
        };
      };
      /** @description Restore a removed post of the forums. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      restoreForumPost: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description Remove a topic of the forums. Only its author and admins see it then. Its author is told, and can appeal. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      removeForumTopic: {
        input: {
          /** Format: uuid */
          id: string;
        } & {
          /** @description For the author. */
          reason: string;
        };
      };
      /** @description Restore a removed topic of the forums. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      restoreForumTopic: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description List removed posts and topics of the forums. The newest first. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      listForumRemovals: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["ForumRemoval"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Mute somebody in a topic, or ban them from the forums. With `topic_id` the person cannot write in this topic, without it nowhere in the forums, until `until`. Again for the same person and place it changes the end. The person is told, and can appeal. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      imposeForumSanction: {
        input: components["schemas"]["NewForumSanction"];
        reply: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description List mutes and bans of the forums. The newest first. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      listForumSanctions: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** Format: uuid */
          account_id?: string;
          /** @description true: only those that hold now. */
          active?: boolean;
        };
        reply: {
          data: components["schemas"]["ForumSanction"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Lift a mute or a ban of the forums. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      liftForumSanction: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description List own mutes and bans in the forums. The newest first. */
      listOwnForumSanctions: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["ForumSanction"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description List own posts and topics that a moderator has removed. The newest first. */
      listOwnForumRemovals: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["ForumRemoval"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description List own appeals in the forums. The newest first. */
      listOwnForumAppeals: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["Appeal"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Appeal against a decision of a moderator in the forums. About a post or topic of yours that was removed, or your mute or ban. Each decision can be appealed once. */
      fileForumAppeal: {
        input: components["schemas"]["NewForumAppeal"];
        reply: components["schemas"]["FiledAppeal"];
      };
      /** @description List appeals in the forums. The oldest first. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      listForumAppeals: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          status?: "open" | "accepted" | "refused";
        };
        reply: {
          data: components["schemas"]["Appeal"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Answer an appeal in the forums. `accept` undoes the decision: what was removed is restored, a mute or ban is lifted. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      answerForumAppeal: {
        input: {
          /** Format: uuid */
          id: string;
        } & ({
          /** @enum {string} */
          action: "accept" | "refuse";
          /** @description For who has appealed. */
          answer: string;
        });
      };
      /** @description Enter the voice room of a topic. A token of LiveKit for this device, which lets it join within a minute and send the sound of its microphone. People who are muted in the topic, and everybody but admins while it is locked, only listen. People who are banned from the forums get 403, and so does everybody in a topic that a moderator has removed. All this holds for who is in the room, too, as soon as it changes. Whoever signs out leaves the room. */
      createVoiceToken: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["VoiceToken"];
      };
      /** @description Who is in the voice room of a topic. One participant for each device, whether the room is recorded, and the newest recording. Changes come on the channel of the topic. */
      getVoiceRoom: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["VoiceRoom"];
      };
      /** @description Receive a report of the voice server. A webhook of LiveKit: `Authorization` has a token that signs the SHA-256 of the body. An `Idempotency-Key` is accepted and has no effect: a report is known by its `id`. */
      receiveVoiceEvent: {
        input: components["schemas"]["VoiceEvent"];
      };
      /** @description List reports of the voice server about unknown rooms and recordings. The newest first, at most 100; kept for 30 days. Another product may use the same voice server, or something of ours was lost. */
      listUnknownVoiceReports: {
        reply: {
          data: components["schemas"]["UnknownVoiceReport"][];
        };
      };
      /** @description Record the voice room of a topic. For who has opened the room, the author of the topic and admins, while they are in the room (403); an empty room is 409. One recording at a time: 409 has the `recording_id` of the one that runs. It is `starting` until something is recorded, some seconds later, and `failed` if that does not happen within 2 minutes. Everybody on the channel of the topic is told, and so is everybody in the room. Admins need a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      startVoiceRecording: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["VoiceRecording"];
      };
      /** @description Stop recording the voice room of a topic. The file follows: the recording is then `ended`. Safe to repeat: once it is over, the reply is the last recording. Admins need a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      stopVoiceRecording: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["VoiceRecording"];
      };
      /** @description List the recordings of a topic. The newest first. */
      listVoiceRecordings: {
        input: {
          /** Format: uuid */
          id: string;
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["VoiceRecording"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Play a recording. Use the `recording_url` of the recording. It works while the topic is open. */
      playVoiceRecording: {
        input: {
          /** Format: uuid */
          id: string;
          /** @description Of the link, seconds since 1970. */
          expires?: number;
          signature?: string;
        };
        /** Format: binary */
        reply: Blob;
      };
      /** @description Remove a recording. For who has started it, the author of the topic and admins. It cannot be played any more, its file is deleted, and it stays in the list as `removed`. One that runs is stopped. Whoever has not started it gives a `reason` for the person, who is told and can appeal; the file of one that had ended is kept for that time, and so is that of one that is reported. Admins need a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      removeVoiceRecording: {
        input: {
          /** Format: uuid */
          id: string;
        } & {
          reason?: string;
        };
      };
      /** @description Report a recording to the admins */
      reportVoiceRecording: {
        input: {
          /** Format: uuid */
          id: string;
        } & {
          reason: string;
        };
        reply: components["schemas"]["FiledReport"];
      };
      /** @description List reports of recordings of voice rooms. The oldest first. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      listVoiceRecordingReports: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          status?: "open" | "resolved";
        };
        reply: {
          data: components["schemas"]["VoiceRecordingReport"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Resolve a report of recordings of voice rooms. `dismiss` changes nothing else. `remove`: nobody else plays the recording any more. It needs a `reason` for the person who has started the recording. Other open reports of the same are closed. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      resolveVoiceRecordingReport: {
        input: {
          /** Format: uuid */
          id: string;
        } & ({
          /** @enum {string} */
          action: "dismiss" | "remove";
          /** @description For the author. */
          reason?: string;
        });
      };
      /** @description List recommendations for the caller. Hotels, tours, restaurants, transfers, instructors and slopes, the best first, in a diverse order, each with its reasons. What the caller has booked is used only with a consent to `recommendations`; without it, and for somebody who has booked nothing, the reply has what is popular now and in the season. With dates, it has only what can be had on them. What the caller has booked already and what the caller sells is left out. */
      listRecommendations: {
        input: {
          /** @description Comma-separated: `hotel`, `tour`, `restaurant`, `transfer`, `instructor`, `slope`. All by default. */
          kinds?: string;
          /** @default 10 */
          limit?: number;
          /**
           * Format: date
           * @description The first date of the visit.
           */
          check_in?: string;
          /**
           * Format: date
           * @description The date of departure.
           */
          check_out?: string;
          /** @default 1 */
          guests?: number;
          /**
           * @description Language of the texts; `Accept-Language` by default. A text that is not translated comes in the other.
           * @enum {string}
           */
          lang?: "ru" | "en";
        };
        reply: components["schemas"]["Recommendations"];
      };
      /** @description Count favourites by kind */
      countFavorites: {
        reply: {
          data: components["schemas"]["FavoriteCount"][];
          total: number;
        };
      };
      /** @description List favourites of one kind. The newest first. */
      listFavorites: {
        input: {
          /**
           * @description The kind of thing.
           * @enum {string}
           */
          type: "hotel" | "room" | "tour" | "transfer" | "instructor" | "restaurant" | "company" | "slope" | "lift" | "webcam" | "event" | "topic";
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /**
           * @description Language of the texts; `Accept-Language` by default. A text that is not translated comes in the other.
           * @enum {string}
           */
          lang?: "ru" | "en";
        };
        reply: {
          data: components["schemas"]["FavoriteCard"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Add a favourite. Safe to repeat. `notify` asks to be told of it, once for each drop of the price and each time that it becomes free. */
      addFavorite: {
        input: ({
          /**
           * @description The kind of thing.
           * @enum {string}
           */
          type: "hotel" | "room" | "tour" | "transfer" | "instructor" | "restaurant" | "company" | "slope" | "lift" | "webcam" | "event" | "topic";
          /** Format: uuid */
          id: string;
        }) & components["schemas"]["FavoriteWish"];
        reply: components["schemas"]["Favorite"];
      };
      /** @description Remove a favourite */
      removeFavorite: {
        input: {
          /**
           * @description The kind of thing.
           * @enum {string}
           */
          type: "hotel" | "room" | "tour" | "transfer" | "instructor" | "restaurant" | "company" | "slope" | "lift" | "webcam" | "event" | "topic";
          /** Format: uuid */
          id: string;
        };
      };
      /** @description List stories by their authors. Authors with unseen stories first, the resort before people, then the newest. People who have blocked each other do not see each other. Pages count authors. */
      listStories: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["StoryGroup"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Post a story. A picture, or a video of at most 60 s, which everybody who is signed in sees for 24 hours. */
      postStory: {
        input: components["schemas"]["NewStory"];
        reply: components["schemas"]["OwnStory"];
      };
      /** @description List own stories. The newest first. Expired ones and those that an admin has removed are included while they are kept. */
      listOwnStories: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["OwnStory"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Delete your story. With its picture or video. While a report of it is open, admins still see both, for 30 days at most; nobody else does. */
      deleteStory: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description Say that you have seen a story. Safe to repeat; own stories are not counted. The change is seen at once. */
      viewStory: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description Like a story. Safe to repeat; likes of own stories are not counted. The change is seen at once. */
      likeStory: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description Take back that you like a story. Safe to repeat. The change is seen at once. */
      unlikeStory: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description Report a story to the admins */
      reportStory: {
        input: {
          /** Format: uuid */
          id: string;
        } & {
          reason: string;
        };
        reply: components["schemas"]["FiledReport"];
      };
      /** @description List reports of stories. The oldest first. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      listStoryReports: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
          /** @enum {string} */
          status?: "open" | "resolved";
        };
        reply: {
          data: components["schemas"]["StoryReport"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Resolve a report of stories. `dismiss` changes nothing else. `remove`: only its author and admins see the story then. It needs a `reason` for the author of the story. Other open reports of the same are closed. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      resolveStoryReport: {
        input: {
          /** Format: uuid */
          id: string;
        } & ({
          /** @enum {string} */
          action: "dismiss" | "remove";
          /** @description For the author. */
          reason?: string;
        });
      };
      /** @description List stories of the resort. The newest first. Scheduled and expired ones are included. */
      listResortStories: {
        input: {
          /** @default 1 */
          page?: number;
          /** @default 20 */
          per_page?: number;
        };
        reply: {
          data: components["schemas"]["ResortStory"][];
          /** @description The number of rows on all pages. */
          total: number;
          /**
           * @description There are more rows than `total`: they were counted no further. Not sent where `total` is exact.
           * @constant
           */
          total_is_at_least?: true;
          page: number;
          per_page: number;
        };
      };
      /** @description Write a story of the resort */
      createResortStory: {
        input: components["schemas"]["ResortStoryInput"];
        reply: components["schemas"]["ResortStory"];
      };
      /** @description Get a story of the resort */
      getResortStory: {
        input: {
          /** Format: uuid */
          id: string;
        };
        reply: components["schemas"]["ResortStory"];
      };
      /** @description Replace a story of the resort. Fields that are left out get their defaults. A picture or video that is not shown any more is deleted. */
      replaceResortStory: {
        input: {
          /** Format: uuid */
          id: string;
        } & components["schemas"]["ResortStoryInput"];
        reply: components["schemas"]["ResortStory"];
      };
      /** @description Delete a story of the resort. With its picture or video. */
      deleteResortStory: {
        input: {
          /** Format: uuid */
          id: string;
        };
      };
      /** @description Search events. Newest first. Pass `next` of the reply as `after` to get the next page. Reads of the audit log are found only by their `type`: `AuditRead`, and `ContentShown` for each person whose personal data was shown. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      searchAuditEvents: {
        input: {
          /** Format: date-time */
          from?: string;
          /** Format: date-time */
          to?: string;
          /** @enum {string} */
          type?: "AccountOpened" | "ProfileChanged" | "EmailChanged" | "EmailVerified" | "PhoneChanged" | "PasswordChanged" | "PasswordRemoved" | "ProviderLinked" | "ProviderUnlinked" | "ClaimVoided" | "RoleGranted" | "TokensRevoked" | "SessionEnded" | "ErasureRequested" | "ErasureWithdrawn" | "ErasureBegun" | "PersonErased" | "IdentityClaimed" | "IdentityReleased" | "RoleRequested" | "RoleRequestApproved" | "RoleRequestRejected" | "RoleRequestWithdrawn" | "ConsentAnswered" | "ConsentPolicyPublished" | "FeatureFlagCreated" | "FeatureFlagRedefined" | "FeatureFlagSwitched" | "FeatureFlagDeleted" | "FlagSegmentDefined" | "FlagSegmentDeleted" | "PlatformConfigChanged" | "BroadcastScheduled" | "BroadcastPaused" | "BroadcastResumed" | "BroadcastCancelled" | "BroadcastFinished" | "FriendInvited" | "FriendAccepted" | "FriendDeclined" | "InvitationWithdrawn" | "FriendRemoved" | "PersonBlocked" | "PersonUnblocked" | "AddressInvited" | "AddressInvitationEnded" | "AuditRead" | "ContentShown" | "FileUploaded" | "FileAttached" | "FileDetached" | "FileWithheld" | "FileRemoved" | "ContentReported" | "ReportResolved" | "ForumAppealFiled" | "ForumAppealAnswered" | "EvidenceKept" | "EvidenceSettled" | "EvidenceEnded" | "CompanyAdded" | "CompanyDetailsChanged" | "CompanyPublished" | "CompanyClosed" | "HotelAdded" | "HotelDetailsChanged" | "HotelPublished" | "HotelClosed" | "InstructorAdded" | "InstructorDetailsChanged" | "InstructorPublished" | "InstructorClosed" | "CapacitySet" | "HoldPlaced" | "HoldExtended" | "HoldCommitted" | "HoldReleased" | "RestaurantAdded" | "RestaurantDetailsChanged" | "RestaurantPublished" | "RestaurantClosed" | "RoomAdded" | "RoomDetailsChanged" | "RoomNightsPriced" | "TourAdded" | "TourDetailsChanged" | "TourPublished" | "TourClosed" | "TransferAdded" | "TransferDetailsChanged" | "TransferPublished" | "TransferClosed" | "ApiKeyCreated" | "ApiKeyRotated" | "ApiKeyRevoked" | "CommissionRateSet" | "CommissionRateRemoved" | "OwnerCredited" | "OwnerDebited" | "RefundReserved" | "RefundReservationEnded" | "PayoutRequested" | "PayoutPaid" | "PayoutFailed" | "SettlementPosted" | "CorrectionRequested" | "ChargebackRequested" | "ChargebackWonRequested" | "AdjustmentApproved" | "AdjustmentRejected" | "PaymentCreated" | "PaymentActionRequested" | "PaymentProcessingStarted" | "PaymentAuthorized" | "PaymentSucceeded" | "PaymentFailed" | "PaymentCancelled" | "PaymentExpired" | "RefundRequested" | "RefundAttempted" | "RefundSubmitted" | "RefundSucceeded" | "RefundFailed" | "RefundReviewRequested" | "RefundRetried" | "ShareReleased" | "EscrowRequested" | "EscrowSubmitted" | "EscrowHeld" | "EscrowReleased" | "EscrowCancelled" | "PaymentMismatchFound" | "PaymentMismatchEnded" | "ChargebackReserved" | "ChargebackReservationEnded" | "ChargedBack" | "ChargebackWon" | "ClosingReceiptIssued" | "DuplicateChargeReceived" | "DuplicateChargeReturned" | "DuplicateChargeReviewRequested" | "PaymentProviderChosen" | "NominalAccountSet" | "NominalAccountRemoved" | "TaxDetailsSet" | "TaxDetailsRemoved" | "ReconciliationStarted" | "DifferenceFound" | "ReconciliationFinished" | "PaymentMethodRequested" | "PaymentMethodActivated" | "PaymentMethodFailed" | "DefaultPaymentMethodChanged" | "PaymentMethodRemoved" | "PaymentMethodForgotten" | "PromoCodeCreated" | "PromoCodeTermsChanged" | "PromoCodePaused" | "PromoCodeResumed" | "PromoUseReserved" | "PromoUseTaken" | "PromoUseReleased" | "BookingCreated" | "BookingRescheduled" | "BookingChangeProposed" | "BookingChangeWithdrawn" | "BookingGuestChanged" | "BookingNotesChanged" | "BookingPaymentStarted" | "BookingHoldExtended" | "BookingPaymentEnded" | "BookingPaid" | "BookingSellerNotified" | "BookingConfirmed" | "BookingCompleted" | "BookingNoShowRecorded" | "BookingNoShowWithdrawn" | "BookingExpired" | "BookingCancelled" | "BookingRejected" | "TripBooked" | "InsuranceProductAdded" | "InsuranceProductDetailsChanged" | "InsuranceProductPublished" | "InsuranceProductClosed" | "PurchaseMade" | "PurchasePaymentStarted" | "PurchasePaymentEnded" | "PurchasePaid" | "PurchaseExpired" | "PurchaseCancelled" | "PurchasePassReturned" | "PurchaseRefunded" | "SkiPassTariffAdded" | "SkiPassTariffDetailsChanged" | "SkiPassTariffPublished" | "SkiPassTariffClosed" | "PassSold" | "PassIssued" | "PassHolderChanged" | "PassScanned" | "PassScanRefused" | "PassBlocked" | "PassUnblocked" | "PassGivenBack" | "PassRefundSettled" | "PassCardReturned" | "PassDaysGivenBack" | "ReviewWritten" | "ReviewEdited" | "ReviewDeleted" | "ReviewAnswered" | "ReviewAnswerRemoved" | "ReviewHidden" | "ReviewRestored" | "RatingChanged" | "CallStarted" | "CallFoundBusy" | "CallAccepted" | "CallRejected" | "CallMissed" | "CallEnded" | "LineTaken" | "LineFreed" | "ThreadStarted" | "ThreadRenamed" | "MemberAdded" | "MemberLeft" | "MemberRemoved" | "MemberRoleChanged" | "MessageSent" | "ThreadRead" | "ThreadPreferencesChanged" | "ThreadHidden" | "ThreadShown" | "MessageEdited" | "MessageDeleted" | "MessageRemoved" | "MessageRestored" | "TicketOpened" | "TicketAsked" | "TicketTaken" | "TicketReturned" | "TicketAnswered" | "TicketAwaitsAnswer" | "TicketResolved" | "TicketReopened" | "TrackingSessionStarted" | "TrackingSessionFinished" | "TrackingSummaryCorrected" | "TrackingSessionDiscarded" | "TrackShared" | "TrackShareEnded" | "TrackSetAside" | "TrackDisqualified" | "TrackReleased" | "TrackingDayReported" | "TrackingTargetSet" | "TrackingTargetRemoved" | "SkiDayCounted" | "LeaderboardJoined" | "LeaderboardNameRemoved" | "LeaderboardNameRestored" | "LeaderboardScoresShown" | "LeaderboardLeft" | "BadgeDefined" | "BadgeChanged" | "BadgeRetired" | "BadgeAwarded" | "BadgeRevoked" | "LiftAdded" | "LiftChanged" | "LiftOverrideSet" | "LiftRetired" | "SlopeAdded" | "SlopeChanged" | "SlopeOverrideSet" | "SlopeRetired" | "LiftQueueReported" | "LiftQueueReportWithdrawn" | "LiftStateTold" | "SlopeStateTold" | "ResortStationSet" | "ResortStationRemoved" | "SnowReported" | "AvalancheDangerReported" | "ResortSeasonSet" | "ResortNoticePosted" | "ResortNoticeRemoved" | "WebcamAdded" | "WebcamChanged" | "WebcamRemoved" | "PlanConfigChanged" | "SosRequested" | "SosReported" | "SosRequestedAgain" | "SosEscalated" | "SosAcknowledged" | "SosDispatched" | "SosResolved" | "SosFalseAlarmFound" | "SosDutySet" | "PostCreated" | "PostChanged" | "PostPublished" | "PostUnpublished" | "PostDeleted" | "AttendanceAnnounced" | "AttendanceWithdrawn" | "ForumCategoryCreated" | "ForumCategoryChanged" | "ForumCategoryDeleted" | "ForumTopicStarted" | "ForumTopicRenamed" | "ForumTopicMoved" | "ForumTopicPinned" | "ForumTopicUnpinned" | "ForumTopicLocked" | "ForumTopicUnlocked" | "ForumTopicDeleted" | "ForumTopicRemoved" | "ForumTopicRestored" | "ForumPostWritten" | "ForumPostEdited" | "ForumPostDeleted" | "ForumPostRemoved" | "ForumPostRestored" | "ForumReactionGiven" | "ForumReactionWithdrawn" | "ForumTopicRead" | "ForumSanctionImposed" | "ForumSanctionLifted" | "VoiceRoomOpened" | "VoiceRoomClosed" | "VoiceParticipantJoined" | "VoiceParticipantLeft" | "VoiceRecordingReserved" | "VoiceParticipantRecorded" | "VoiceRecordingFreed" | "VoiceRecordingRequested" | "VoiceRecordingAccepted" | "VoiceRecordingStarted" | "VoiceRecordingStopRequested" | "VoiceRecordingEnded" | "VoiceRecordingFailed" | "VoiceRecordingHidden" | "VoiceRecordingRestored" | "VoiceRecordingRemoved" | "FavoriteAdded" | "FavoriteRemoved" | "FavoriteWatchSet" | "StoryPosted" | "StoryDeleted" | "StoryRemoved" | "StoryRestored" | "StoryEnded" | "ResortStoryCreated" | "ResortStoryChanged" | "ResortStoryDeleted";
          /** @description The id of the account, key or job that caused the event. */
          actor?: string;
          correlation?: string;
          /** @description `<category>-<id>` */
          stream?: string;
          /** @description Position in the event log, like `x-event-position`. */
          after?: string;
          /**
           * @default newest
           * @enum {string}
           */
          order?: "newest" | "oldest";
          /** @default 50 */
          limit?: number;
          /** @description Include the data of each event. */
          data?: boolean;
        };
        reply: {
          data: components["schemas"]["AuditEvent"][];
          next: string | null;
        };
      };
      /** @description List the events of a stream. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      listStreamEvents: {
        input: {
          /** @description `<category>-<id>` */
          stream: string;
          /** @default 0 */
          from_revision?: number;
          /** @default 50 */
          limit?: number;
        };
        reply: {
          stream: string;
          data: components["schemas"]["AuditEvent"][];
          next_revision: number | null;
        };
      };
      /** @description Get a past state of an aggregate. At a time (`at`), after an event (`revision`), or now. `revision` of the reply is null before the first event. Without a reason, whatever follows from personal data is hidden, too. A caller reads one state at a time: others wait. A state of more than 1 MB is refused (422): read the events of its stream instead. Requires a sign-in or `POST /auth/confirm` within the last 5 minutes. */
      getStreamState: {
        input: {
          /** @description `<category>-<id>` */
          stream: string;
          /** Format: date-time */
          at?: string;
          revision?: number;
        };
        reply: {
          stream: string;
          revision: number | null;
          at: string | null;
          /** @description Values are `[erased]` for erased people, and `[hidden]` for secrets and, without a reason, for what is personal. */
          state: unknown;
        };
      };
      /** @description List read models and their status */
      listProjections: {
        reply: {
          lag: components["schemas"]["ProjectionLag"];
          data: components["schemas"]["Projection"][];
        };
      };
      /** @description Rebuild a read model. Replays the event log into new tables and swaps them in at the end. The live tables serve requests meanwhile. An interrupted rebuild is resumed. `all` rebuilds every read model in one pass over the log; each has a run of its own, and one that fails leaves the others going. */
      rebuildProjection: {
        input: {
          /** @description A read model, or `all`. */
          name: string;
        };
        reply: components["schemas"]["StartedProjectionRun"];
      };
      /** @description Verify a read model. Rebuilds the read model beside the live one and compares them. `detail` of the finished run has the number of different rows. `all` verifies every read model in one pass over the log. */
      verifyProjection: {
        input: {
          /** @description A read model, or `all`. */
          name: string;
        };
        reply: components["schemas"]["StartedProjectionRun"];
      };
      /** @description Cancel the runs of a read model. The next rebuild resumes where this one stops. */
      cancelProjectionRun: {
        input: {
          /** @description A read model, or `all`. */
          name: string;
        };
        reply: {
          cancelled: ("rebuild" | "verify")[];
        };
      };
      /** @description List parked events */
      listParkedEvents: {
        reply: {
          data: components["schemas"]["ParkedEvent"][];
        };
      };
      /** @description Retry parked events. Of one read model, of one stream, or all. Events that fail again stay parked with their `reason`. */
      retryParkedEvents: {
        input: {
          model?: string;
          stream?: string;
        };
        reply: {
          data: ({
              model: string;
              stream: string;
              reason: string | null;
            })[];
        };
      };
    };
    $channels: {
      user: {
        changes: {
          role_request: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            account_id: string;
            /** @enum {string} */
            role: "tourist" | "hotelier" | "tour_operator" | "transfer_provider" | "instructor" | "restaurant" | "admin";
            company_name: string;
            documents: {
                name: string;
                url: string;
              }[];
            comment: string | null;
            /** @enum {string} */
            status: "pending" | "approved" | "rejected" | "withdrawn";
            reason: string | null;
            decided_by: string | null;
            decided_at: string | null;
            /** Format: date-time */
            created_at: string;
          };
          consent: {
            /** @enum {string} */
            purpose: "data_processing" | "marketing" | "analytics" | "recommendations";
            policy_version: string;
            granted: boolean;
            /** Format: date-time */
            at: string;
          };
          friendship: components["schemas"]["Friendship"];
          friend_invitation: components["schemas"]["FriendInvitation"];
          forum_appeal: components["schemas"]["Appeal"];
          call: components["schemas"]["Call"];
          sos: components["schemas"]["SosIncident"];
          pass: components["schemas"]["SkiPass"];
          review: components["schemas"]["Review"];
          payment: components["schemas"]["Payment"];
          payment_method: components["schemas"]["PaymentMethod"];
          booking: components["schemas"]["Booking"];
          trip: components["schemas"]["Trip"];
          purchase: components["schemas"]["Purchase"];
          participant: components["schemas"]["ChatParticipant"];
          chat_preferences: {
            /** Format: uuid */
            thread_id: string;
            /** Format: uuid */
            account_id: string;
            pinned: boolean;
            muted: boolean;
            archived: boolean;
            hidden_up_to: number | null;
          };
          message: components["schemas"]["Message"];
          support_ticket: components["schemas"]["SupportTicket"];
          forum_sanction: components["schemas"]["ForumSanction"];
          tracking_session: components["schemas"]["TrackingSession"];
          tracking_share: components["schemas"]["SharedTrack"];
          badge_award: {
            /** Format: uuid */
            badge_id: string;
            /** Format: date-time */
            awarded_at: string;
          };
          notification: components["schemas"]["Notification"];
          notification_inbox: components["schemas"]["NotificationInbox"];
          chat_badge: {
            /** Format: uuid */
            thread_id: string;
            /** @description The number of the newest message; 0: none. */
            last_seq: number;
            /** @description Messages of others that exist and were not read, counted up to 1000. */
            unread_count: number;
          };
        };
        ephemeral: Record<string, never>;
      };
      provider: {
        changes: {
          review: components["schemas"]["Review"];
          payout: components["schemas"]["Payout"];
          booking: components["schemas"]["Booking"];
        };
        ephemeral: Record<string, never>;
      };
      platform: {
        changes: {
          platform: {
            /**
             * @description What has changed.
             * @enum {string}
             */
            part: "config" | "flags";
            /** @description Rises with every change. */
            revision: number;
            /** Format: date-time */
            changed_at: string;
            /** @description Fetch it again after a random time of at most this many seconds. */
            fetch_within_s: number;
          };
        };
        ephemeral: Record<string, never>;
      };
      friends: {
        changes: {
          friendship: components["schemas"]["Friendship"];
        };
        ephemeral: {
          "position.updated": {
            position: {
              lat: number;
              lon: number;
              /** @description Radius around the point, in metres. */
              accuracy_m?: number;
              /** @description Above sea level, in metres. */
              altitude_m?: number;
              /** @description Metres a second. */
              speed_mps?: number;
              /** @description Degrees from north, clockwise. */
              heading?: number;
              /** @description Charge of the device. */
              battery_pct?: number;
            };
            /** Format: date-time */
            at: string;
            /** Format: date-time */
            until: string;
          };
          "sharing.ended": Record<string, never>;
        };
      };
      call: {
        changes: {
          call_party: {
            /** Format: uuid */
            call_id: string;
            /** Format: uuid */
            account_id: string;
          };
        };
        ephemeral: {
          "signal.offer": {
            sdp: string;
            restart?: boolean;
          };
          "signal.answer": {
            sdp: string;
          };
          "signal.ice": {
            candidate: string | null;
            sdp_mid?: string | null;
            sdp_m_line_index?: number | null;
            username_fragment?: string | null;
          };
        };
      };
      chat: {
        changes: {
          chat: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            type: "p2p" | "group" | "support";
            title: string | null;
            /** Format: uuid */
            created_by: string;
            /** Format: date-time */
            created_at: string;
          };
          participant: components["schemas"]["ChatParticipant"];
          message: components["schemas"]["Message"];
        };
        ephemeral: {
          "typing.started": Record<string, never>;
          "presence.online": Record<string, never>;
          "presence.offline": Record<string, never>;
        };
      };
      support_queue: {
        changes: {
          support_ticket: components["schemas"]["SupportTicket"];
        };
        ephemeral: Record<string, never>;
      };
      tracking: {
        changes: {
          tracking_share: components["schemas"]["SharedTrack"];
        };
        ephemeral: {
          "position.moved": {
            /** Format: date-time */
            t: string;
            lat: number;
            lon: number;
            alt: number | null;
            acc: number;
            speed: number | null;
          };
        };
      };
      lift_queues: {
        changes: {
          lift: {
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description When it was found to be so.
             */
            told_at: string;
            /** @enum {string} */
            status: "open" | "hold" | "scheduled" | "closed";
            /** @enum {string} */
            source: "manual" | "schedule" | "none";
            reason: string | null;
            until: string | null;
            queue_minutes: number | null;
            queue_people: number | null;
            queue_source: ("manual" | "scans" | "skiers") | null;
            queue_measured_at: string | null;
            /** @description At least so many people wait: nobody knows which share of them was counted. `queue_minutes` is null. */
            queue_is_at_least: boolean;
          };
        };
        ephemeral: Record<string, never>;
      };
      resort: {
        changes: {
          slope: {
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description When it was found to be so.
             */
            told_at: string;
            /** @enum {string} */
            status: "open" | "hold" | "scheduled" | "closed";
            /** @enum {string} */
            source: "manual" | "schedule" | "none";
            reason: string | null;
            until: string | null;
          };
          resort: {
            stations: ({
                key: string;
                name: string;
                longitude: number;
                latitude: number;
                altitude_m: number;
                snow: ({
                  depth_cm: number;
                  new24h_cm: number | null;
                  new48h_cm: number | null;
                  /** Format: date-time */
                  measured_at: string;
                }) | null;
              })[];
            avalanche: ({
              /** @description From 1 (low) to 5 (very high). */
              level: number;
              text: string | null;
              valid_until: string | null;
            }) | null;
            season: {
              /** Format: date */
              from: string;
              /**
               * Format: date
               * @description The last day.
               */
              until: string;
            } | null;
            notices: ({
                /** Format: uuid */
                notice_id: string;
                /** @enum {string} */
                severity: "info" | "warning" | "danger";
                text: string;
                from: string | null;
                until: string | null;
              })[];
            /** Format: date-time */
            updated_at: string;
          };
        };
        ephemeral: Record<string, never>;
      };
      sos_board: {
        changes: {
          sos: components["schemas"]["SosIncident"];
        };
        ephemeral: Record<string, never>;
      };
      content: {
        changes: {
          post: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "news" | "promotion" | "event";
            texts: {
              ru: {
                title: string;
                summary: string;
                body: string;
              } | null;
              en: {
                title: string;
                summary: string;
                body: string;
              } | null;
            };
            images: {
                /** Format: uri */
                url: string;
                is_main: boolean;
              }[];
            link: string | null;
            promo_code: string | null;
            happening: ({
              place: string;
              location: {
                latitude: number;
                longitude: number;
              } | null;
              /** Format: date-time */
              starts_at: string;
              /** Format: date-time */
              ends_at: string;
              timezone: string;
            }) | null;
            publish_at: string | null;
            expires_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
          };
        };
        ephemeral: Record<string, never>;
      };
      forum_topic: {
        changes: {
          forum_topic: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            category_id: string;
            /** Format: uuid */
            author_id: string;
            /** @description It comes first in lists of its category. */
            pinned: boolean;
            /** @description Only admins write in it. */
            locked: boolean;
            /**
             * @description Everybody sees `open` topics. One that a moderator has `removed` is shown to its author and admins, one that its author has `deleted` to admins, if a report of its first post was open.
             * @enum {string}
             */
            status: "open" | "deleted" | "removed";
            /** Format: date-time */
            created_at: string;
            title: string | null;
            /** @description First name and initial; `Deleted user` once the account is erased. */
            author: string;
            /** @description The number of its newest post. */
            last_seq: number;
            /** Format: date-time */
            last_post_at: string;
          };
          forum_post: components["schemas"]["ForumPost"];
          voice_room: {
            /** Format: uuid */
            topic_id: string;
            opened_by: string | null;
            recording_id: string | null;
            /** @description Whether it is recorded now. A recording that starts is not yet. */
            is_recording: boolean;
            participants: {
                connection_id: string;
                /** Format: uuid */
                account_id: string;
                /** Format: date-time */
                joined_at: string;
              }[];
          };
          voice_recording: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            topic_id: string;
            /** @enum {string} */
            status: "starting" | "recording" | "stopping" | "ended" | "failed" | "expired" | "removed";
            /** Format: uuid */
            requested_by: string;
            /** Format: date-time */
            requested_at: string;
            started_at: string | null;
            ended_at: string | null;
            recording_duration_s: number | null;
            failure: ("refused" | "not_started" | "empty" | "server_failed" | "lost") | null;
            egress_id: string | null;
          };
        };
        ephemeral: Record<string, never>;
      };
    };
    $clientFrame: {
      /** @constant */
      type: "auth";
      token: string;
      /** @description Chosen by the client and returned in the answer. */
      id?: string;
    } | {
      /** @constant */
      type: "subscribe";
      /** @description The channel as the client wrote it; aliases are accepted. */
      channel: string;
      /** @description The client has received every change up to `offset` of `epoch`. */
      since?: {
        /** Format: uuid */
        epoch: string;
        offset: number;
      };
      /** @description Chosen by the client and returned in the answer. */
      id?: string;
    } | {
      /** @constant */
      type: "unsubscribe";
      /** @description The channel as the client wrote it; aliases are accepted. */
      channel: string;
      /** @description Chosen by the client and returned in the answer. */
      id?: string;
    } | {
      /** @constant */
      type: "publish";
      /** @description The channel as the client wrote it; aliases are accepted. */
      channel: string;
      event: string;
      data: Record<string, never>;
      /** @description Chosen by the client and returned in the answer. */
      id?: string;
    } | {
      /** @constant */
      type: "ping";
      /** @description Chosen by the client and returned in the answer. */
      id?: string;
    };
    $serverFrame: {
      /** @constant */
      type: "ready";
      /** Format: uuid */
      user_id: string;
      role: string;
      /** Format: date-time */
      expires_at: string;
      /** @description Chosen by the client and returned in the answer. */
      id?: string;
    } | {
      /** @constant */
      type: "subscribed";
      /** @description The channel as the client wrote it; aliases are accepted. */
      channel: string;
      /** Format: uuid */
      epoch: string;
      offset: number;
      recovered: boolean;
      /** @description Chosen by the client and returned in the answer. */
      id?: string;
    } | ({
      /** @constant */
      type: "unsubscribed";
      /** @description The channel as the client wrote it; aliases are accepted. */
      channel: string;
      /** @enum {string} */
      reason: "asked" | "forbidden";
      /** @description Chosen by the client and returned in the answer. */
      id?: string;
    }) | ({
      /** @constant */
      type: "error";
      /** @enum {string} */
      code: "bad_frame" | "not_authenticated" | "bad_token" | "other_account" | "unknown_channel" | "forbidden" | "already_subscribed" | "not_subscribed" | "not_publishable" | "too_many_subscriptions";
      detail: string;
      /** @description Chosen by the client and returned in the answer. */
      id?: string;
    }) | {
      /** @constant */
      type: "pong";
      /** @description Chosen by the client and returned in the answer. */
      id?: string;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}

type Schemas = components['schemas'];

/** What each operation takes and answers. */
export type Operations = Schemas['$operations'];

/** What each channel carries. */
export type Channels = Schemas['$channels'];

export type ClientFrame = Schemas['$clientFrame'];
export type ServerFrame = Schemas['$serverFrame'];

export type Account = Schemas['Account'];
export type ActiveDay = Schemas['ActiveDay'];
export type AdjustmentStatus = Schemas['AdjustmentStatus'];
export type AdminBadge = Schemas['AdminBadge'];
export type AdminPost = Schemas['AdminPost'];
export type AdminWebcam = Schemas['AdminWebcam'];
export type AnalyticsEvent = Schemas['AnalyticsEvent'];
export type AnalyticsEventBatch = Schemas['AnalyticsEventBatch'];
export type ApiKey = Schemas['ApiKey'];
export type AppConfig = Schemas['AppConfig'];
export type Appeal = Schemas['Appeal'];
export type Attachment = Schemas['Attachment'];
export type Attendee = Schemas['Attendee'];
export type AuditEvent = Schemas['AuditEvent'];
export type Availability = Schemas['Availability'];
export type Badge = Schemas['Badge'];
export type BadgePreview = Schemas['BadgePreview'];
export type Booking = Schemas['Booking'];
export type BookingConversion = Schemas['BookingConversion'];
export type BookingFunnel = Schemas['BookingFunnel'];
export type BookingQuote = Schemas['BookingQuote'];
export type BookingTermsChange = Schemas['BookingTermsChange'];
export type BookingUpdate = Schemas['BookingUpdate'];
export type BookingsOfDay = Schemas['BookingsOfDay'];
export type Call = Schemas['Call'];
export type CancellationQuote = Schemas['CancellationQuote'];
export type ChangeQuote = Schemas['ChangeQuote'];
export type Chat = Schemas['Chat'];
export type ChatParticipant = Schemas['ChatParticipant'];
export type ChatReport = Schemas['ChatReport'];
export type Cohort = Schemas['Cohort'];
export type CommissionChange = Schemas['CommissionChange'];
export type CommissionRate = Schemas['CommissionRate'];
export type CommissionRule = Schemas['CommissionRule'];
export type Company = Schemas['Company'];
export type CompanyUpdate = Schemas['CompanyUpdate'];
export type Consent = Schemas['Consent'];
export type ConsentAnswer = Schemas['ConsentAnswer'];
export type ConsentPolicy = Schemas['ConsentPolicy'];
export type ConsentRecord = Schemas['ConsentRecord'];
export type CurrentUser = Schemas['CurrentUser'];
export type DayPlan = Schemas['DayPlan'];
export type EditedCompany = Schemas['EditedCompany'];
export type EditedHotel = Schemas['EditedHotel'];
export type EditedInstructor = Schemas['EditedInstructor'];
export type EditedRestaurant = Schemas['EditedRestaurant'];
export type EditedRoom = Schemas['EditedRoom'];
export type EditedTour = Schemas['EditedTour'];
export type EditedTransfer = Schemas['EditedTransfer'];
export type EmailCodeStatus = Schemas['EmailCodeStatus'];
export type EmailVerification = Schemas['EmailVerification'];
export type ErasedAccount = Schemas['ErasedAccount'];
export type ErasureCertificate = Schemas['ErasureCertificate'];
export type ExportArchive = Schemas['ExportArchive'];
export type Favorite = Schemas['Favorite'];
export type FavoriteCard = Schemas['FavoriteCard'];
export type FavoriteCount = Schemas['FavoriteCount'];
export type FavoriteWish = Schemas['FavoriteWish'];
export type FeatureFlag = Schemas['FeatureFlag'];
export type FeatureFlagDefinition = Schemas['FeatureFlagDefinition'];
export type FieldError = Schemas['FieldError'];
export type File = Schemas['File'];
export type FiledAppeal = Schemas['FiledAppeal'];
export type FiledReport = Schemas['FiledReport'];
export type FlagExplanation = Schemas['FlagExplanation'];
export type FlagSegment = Schemas['FlagSegment'];
export type FlagState = Schemas['FlagState'];
export type ForumCategory = Schemas['ForumCategory'];
export type ForumCategoryUpdate = Schemas['ForumCategoryUpdate'];
export type ForumPost = Schemas['ForumPost'];
export type ForumPostFound = Schemas['ForumPostFound'];
export type ForumPostHistory = Schemas['ForumPostHistory'];
export type ForumPostSeen = Schemas['ForumPostSeen'];
export type ForumPostUpdate = Schemas['ForumPostUpdate'];
export type ForumRemoval = Schemas['ForumRemoval'];
export type ForumReport = Schemas['ForumReport'];
export type ForumSanction = Schemas['ForumSanction'];
export type ForumTopicSeen = Schemas['ForumTopicSeen'];
export type ForumTopicSeenMarked = Schemas['ForumTopicSeenMarked'];
export type ForumTopicUpdate = Schemas['ForumTopicUpdate'];
export type FoundHotel = Schemas['FoundHotel'];
export type FriendInvitation = Schemas['FriendInvitation'];
export type Friendship = Schemas['Friendship'];
export type Funnel = Schemas['Funnel'];
export type FunnelStage = Schemas['FunnelStage'];
export type FunnelStep = Schemas['FunnelStep'];
export type GlobalMetrics = Schemas['GlobalMetrics'];
export type Health = Schemas['Health'];
export type Hotel = Schemas['Hotel'];
export type HotelUpdate = Schemas['HotelUpdate'];
export type HotelWithRooms = Schemas['HotelWithRooms'];
export type IdentityConfirmed = Schemas['IdentityConfirmed'];
export type Instructor = Schemas['Instructor'];
export type InstructorUpdate = Schemas['InstructorUpdate'];
export type InsuranceProduct = Schemas['InsuranceProduct'];
export type InsuranceProductUpdate = Schemas['InsuranceProductUpdate'];
export type Invitee = Schemas['Invitee'];
export type IssuedApiKey = Schemas['IssuedApiKey'];
export type IssuedSkiPass = Schemas['IssuedSkiPass'];
export type KeptSkiPassScans = Schemas['KeptSkiPassScans'];
export type Leaderboard = Schemas['Leaderboard'];
export type LeaderboardEntry = Schemas['LeaderboardEntry'];
export type LeaderboardNameReport = Schemas['LeaderboardNameReport'];
export type LeaderboardParticipation = Schemas['LeaderboardParticipation'];
export type LedgerAccount = Schemas['LedgerAccount'];
export type LedgerAdjustment = Schemas['LedgerAdjustment'];
export type LedgerEntry = Schemas['LedgerEntry'];
export type LiftMarked = Schemas['LiftMarked'];
export type LiftPatch = Schemas['LiftPatch'];
export type LiveFriend = Schemas['LiveFriend'];
export type LiveSharing = Schemas['LiveSharing'];
export type MailReport = Schemas['MailReport'];
export type MailsSentAgain = Schemas['MailsSentAgain'];
export type Message = Schemas['Message'];
export type MessageHistory = Schemas['MessageHistory'];
export type MountainClosure = Schemas['MountainClosure'];
export type NewAccount = Schemas['NewAccount'];
export type NewAnalyticsEvent = Schemas['NewAnalyticsEvent'];
export type NewAppeal = Schemas['NewAppeal'];
export type NewBadge = Schemas['NewBadge'];
export type NewBooking = Schemas['NewBooking'];
export type NewCall = Schemas['NewCall'];
export type NewChargeback = Schemas['NewChargeback'];
export type NewChat = Schemas['NewChat'];
export type NewCompany = Schemas['NewCompany'];
export type NewCorrection = Schemas['NewCorrection'];
export type NewFeatureFlag = Schemas['NewFeatureFlag'];
export type NewFlagSegment = Schemas['NewFlagSegment'];
export type NewForumAppeal = Schemas['NewForumAppeal'];
export type NewForumCategory = Schemas['NewForumCategory'];
export type NewForumPost = Schemas['NewForumPost'];
export type NewForumSanction = Schemas['NewForumSanction'];
export type NewForumTopic = Schemas['NewForumTopic'];
export type NewHotel = Schemas['NewHotel'];
export type NewHotelBooking = Schemas['NewHotelBooking'];
export type NewInstructor = Schemas['NewInstructor'];
export type NewInsuranceProduct = Schemas['NewInsuranceProduct'];
export type NewLessonBooking = Schemas['NewLessonBooking'];
export type NewLift = Schemas['NewLift'];
export type NewLivePosition = Schemas['NewLivePosition'];
export type NewLiveSharing = Schemas['NewLiveSharing'];
export type NewMessage = Schemas['NewMessage'];
export type NewPayment = Schemas['NewPayment'];
export type NewPost = Schemas['NewPost'];
export type NewPromoCode = Schemas['NewPromoCode'];
export type NewPushBroadcast = Schemas['NewPushBroadcast'];
export type NewPushDevice = Schemas['NewPushDevice'];
export type NewRestaurant = Schemas['NewRestaurant'];
export type NewReview = Schemas['NewReview'];
export type NewRoleRequest = Schemas['NewRoleRequest'];
export type NewRoom = Schemas['NewRoom'];
export type NewSettlement = Schemas['NewSettlement'];
export type NewSkiPassTariff = Schemas['NewSkiPassTariff'];
export type NewSlope = Schemas['NewSlope'];
export type NewSosDuty = Schemas['NewSosDuty'];
export type NewStory = Schemas['NewStory'];
export type NewSupportTicket = Schemas['NewSupportTicket'];
export type NewTableBooking = Schemas['NewTableBooking'];
export type NewTour = Schemas['NewTour'];
export type NewTourBooking = Schemas['NewTourBooking'];
export type NewTrackPoint = Schemas['NewTrackPoint'];
export type NewTrackingDay = Schemas['NewTrackingDay'];
export type NewTrackingTarget = Schemas['NewTrackingTarget'];
export type NewTransfer = Schemas['NewTransfer'];
export type NewTransferBooking = Schemas['NewTransferBooking'];
export type NewTrip = Schemas['NewTrip'];
export type NewWebcam = Schemas['NewWebcam'];
export type NewsItem = Schemas['NewsItem'];
export type Night = Schemas['Night'];
export type NightRange = Schemas['NightRange'];
export type Notification = Schemas['Notification'];
export type NotificationInbox = Schemas['NotificationInbox'];
export type NotificationPreferences = Schemas['NotificationPreferences'];
export type NotificationPreferencesUpdate = Schemas['NotificationPreferencesUpdate'];
export type OfflineSkiPassScan = Schemas['OfflineSkiPassScan'];
export type OfflineSkiPassScans = Schemas['OfflineSkiPassScans'];
export type OwnBadge = Schemas['OwnBadge'];
export type OwnCompany = Schemas['OwnCompany'];
export type OwnHotel = Schemas['OwnHotel'];
export type OwnInstructor = Schemas['OwnInstructor'];
export type OwnMetrics = Schemas['OwnMetrics'];
export type OwnRestaurant = Schemas['OwnRestaurant'];
export type OwnStory = Schemas['OwnStory'];
export type OwnTour = Schemas['OwnTour'];
export type OwnTransfer = Schemas['OwnTransfer'];
export type OwnerBalance = Schemas['OwnerBalance'];
export type OwnerCommissionRate = Schemas['OwnerCommissionRate'];
export type OwnerPaymentSettings = Schemas['OwnerPaymentSettings'];
export type OwnerPaymentSettingsUpdate = Schemas['OwnerPaymentSettingsUpdate'];
export type ParkedEvent = Schemas['ParkedEvent'];
export type Payment = Schemas['Payment'];
export type PaymentDifference = Schemas['PaymentDifference'];
export type PaymentMethod = Schemas['PaymentMethod'];
export type PaymentMismatch = Schemas['PaymentMismatch'];
export type PaymentSettings = Schemas['PaymentSettings'];
export type Payout = Schemas['Payout'];
export type PayoutSettingsChange = Schemas['PayoutSettingsChange'];
export type PlanConfig = Schemas['PlanConfig'];
export type PlanConfigPatch = Schemas['PlanConfigPatch'];
export type PlanConfigRevision = Schemas['PlanConfigRevision'];
export type PlanOfTheDay = Schemas['PlanOfTheDay'];
export type PlanSample = Schemas['PlanSample'];
export type PlannedLift = Schemas['PlannedLift'];
export type PlannedLunch = Schemas['PlannedLunch'];
export type PlannedRun = Schemas['PlannedRun'];
export type PlannedTable = Schemas['PlannedTable'];
export type PlannedWait = Schemas['PlannedWait'];
export type PlatformConfigPatch = Schemas['PlatformConfigPatch'];
export type PlatformConfigRevision = Schemas['PlatformConfigRevision'];
export type PostUpdate = Schemas['PostUpdate'];
export type Problem = Schemas['Problem'];
export type Projection = Schemas['Projection'];
export type ProjectionLag = Schemas['ProjectionLag'];
export type ProjectionRun = Schemas['ProjectionRun'];
export type PromoCode = Schemas['PromoCode'];
export type PromoCodeUpdate = Schemas['PromoCodeUpdate'];
export type PromoUse = Schemas['PromoUse'];
export type Promotion = Schemas['Promotion'];
export type ProviderMetrics = Schemas['ProviderMetrics'];
export type PublicReview = Schemas['PublicReview'];
export type Purchase = Schemas['Purchase'];
export type PurchaseCancellationQuote = Schemas['PurchaseCancellationQuote'];
export type PurchaseQuote = Schemas['PurchaseQuote'];
export type PushAudience = Schemas['PushAudience'];
export type PushBroadcast = Schemas['PushBroadcast'];
export type PushDelivery = Schemas['PushDelivery'];
export type PushDevice = Schemas['PushDevice'];
export type PushTest = Schemas['PushTest'];
export type QueueAlert = Schemas['QueueAlert'];
export type ReadNotifications = Schemas['ReadNotifications'];
export type Recommendation = Schemas['Recommendation'];
export type Recommendations = Schemas['Recommendations'];
export type RecommendedPrice = Schemas['RecommendedPrice'];
export type Reconciliation = Schemas['Reconciliation'];
export type ReconciliationReport = Schemas['ReconciliationReport'];
export type RecordedEvents = Schemas['RecordedEvents'];
export type Refund = Schemas['Refund'];
export type RejectedItem = Schemas['RejectedItem'];
export type ReportedChat = Schemas['ReportedChat'];
export type ReportedLeaderboardName = Schemas['ReportedLeaderboardName'];
export type ReportedStory = Schemas['ReportedStory'];
export type ReportedTrackingDay = Schemas['ReportedTrackingDay'];
export type RequestedPayout = Schemas['RequestedPayout'];
export type ResortChange = Schemas['ResortChange'];
export type ResortEventMarked = Schemas['ResortEventMarked'];
export type ResortReport = Schemas['ResortReport'];
export type ResortStatus = Schemas['ResortStatus'];
export type ResortStory = Schemas['ResortStory'];
export type ResortStoryInput = Schemas['ResortStoryInput'];
export type Restaurant = Schemas['Restaurant'];
export type RestaurantUpdate = Schemas['RestaurantUpdate'];
export type RevenueOfDay = Schemas['RevenueOfDay'];
export type Review = Schemas['Review'];
export type ReviewReport = Schemas['ReviewReport'];
export type ReviewUpdate = Schemas['ReviewUpdate'];
export type RideSlot = Schemas['RideSlot'];
export type RoleCommissionRates = Schemas['RoleCommissionRates'];
export type RoleRequest = Schemas['RoleRequest'];
export type Room = Schemas['Room'];
export type RoomMarked = Schemas['RoomMarked'];
export type RoomOffer = Schemas['RoomOffer'];
export type RoomUpdate = Schemas['RoomUpdate'];
export type SellerAnswers = Schemas['SellerAnswers'];
export type SettledPayout = Schemas['SettledPayout'];
export type SharedTrack = Schemas['SharedTrack'];
export type SignInMethod = Schemas['SignInMethod'];
export type SignInMethods = Schemas['SignInMethods'];
export type SignedIn = Schemas['SignedIn'];
export type SkiPass = Schemas['SkiPass'];
export type SkiPassGivenBack = Schemas['SkiPassGivenBack'];
export type SkiPassIssue = Schemas['SkiPassIssue'];
export type SkiPassNow = Schemas['SkiPassNow'];
export type SkiPassQuote = Schemas['SkiPassQuote'];
export type SkiPassScan = Schemas['SkiPassScan'];
export type SkiPassScanned = Schemas['SkiPassScanned'];
export type SkiPassTariff = Schemas['SkiPassTariff'];
export type SkiPassTariffUpdate = Schemas['SkiPassTariffUpdate'];
export type SkiPassVerdict = Schemas['SkiPassVerdict'];
export type SlopeMarked = Schemas['SlopeMarked'];
export type SlopePatch = Schemas['SlopePatch'];
export type Slot = Schemas['Slot'];
export type SmsCodeStatus = Schemas['SmsCodeStatus'];
export type SosDuty = Schemas['SosDuty'];
export type SosIncident = Schemas['SosIncident'];
export type SosPositions = Schemas['SosPositions'];
export type SosReceipt = Schemas['SosReceipt'];
export type SosRequest = Schemas['SosRequest'];
export type Spending = Schemas['Spending'];
export type StartedPayment = Schemas['StartedPayment'];
export type StartedPaymentMethod = Schemas['StartedPaymentMethod'];
export type StartedProjectionRun = Schemas['StartedProjectionRun'];
export type StartedPurchase = Schemas['StartedPurchase'];
export type StartedSkiPassPurchase = Schemas['StartedSkiPassPurchase'];
export type Statement = Schemas['Statement'];
export type StatementLine = Schemas['StatementLine'];
export type StayPrice = Schemas['StayPrice'];
export type Story = Schemas['Story'];
export type StoryGroup = Schemas['StoryGroup'];
export type StoryReport = Schemas['StoryReport'];
export type StuckDuplicateCharge = Schemas['StuckDuplicateCharge'];
export type StuckNotification = Schemas['StuckNotification'];
export type StuckRefund = Schemas['StuckRefund'];
export type SupportTicket = Schemas['SupportTicket'];
export type TableSlot = Schemas['TableSlot'];
export type TbankNotification = Schemas['TbankNotification'];
export type Tokens = Schemas['Tokens'];
export type Tour = Schemas['Tour'];
export type TourUpdate = Schemas['TourUpdate'];
export type TrackPoint = Schemas['TrackPoint'];
export type TrackReview = Schemas['TrackReview'];
export type TrackShare = Schemas['TrackShare'];
export type TrackStanding = Schemas['TrackStanding'];
export type TrackingSession = Schemas['TrackingSession'];
export type TrackingStats = Schemas['TrackingStats'];
export type TrackingTarget = Schemas['TrackingTarget'];
export type Transfer = Schemas['Transfer'];
export type TransferUpdate = Schemas['TransferUpdate'];
export type Trip = Schemas['Trip'];
export type TurnCredentials = Schemas['TurnCredentials'];
export type TypicalWait = Schemas['TypicalWait'];
export type UndeliverableMail = Schemas['UndeliverableMail'];
export type UnknownVoiceReport = Schemas['UnknownVoiceReport'];
export type UploadedPoints = Schemas['UploadedPoints'];
export type User = Schemas['User'];
export type VoiceEvent = Schemas['VoiceEvent'];
export type VoiceRecording = Schemas['VoiceRecording'];
export type VoiceRecordingReport = Schemas['VoiceRecordingReport'];
export type VoiceRoom = Schemas['VoiceRoom'];
export type VoiceToken = Schemas['VoiceToken'];
export type WebPushKey = Schemas['WebPushKey'];
export type WebPushSubscription = Schemas['WebPushSubscription'];
export type WebcamMarked = Schemas['WebcamMarked'];
export type WrittenBadge = Schemas['WrittenBadge'];
export type YookassaNotification = Schemas['YookassaNotification'];
