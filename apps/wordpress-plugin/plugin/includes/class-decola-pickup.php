<?php
/**
 * Pick-up of articles.
 *
 * @package Decola
 */

defined( 'ABSPATH' ) || exit;

/**
 * Asks the service for events that it cannot send, because a firewall or a security plugin keeps its calls out. Every event goes to the same handler as one that
 * was sent, with its own id and signature. The owner switches this off on the page of the plugin.
 */
class Decola_Pickup {

	const EVENT = 'decola_pickup';

	const INTERVAL = 15 * MINUTE_IN_SECONDS;

	/** WP-Cron is never quite on time: a visit that comes a little early asks, too. */
	const SLACK = 2 * MINUTE_IN_SECONDS;

	/** Requests of one visit. */
	const ROUNDS = 20;

	/** Seconds after which a visit takes nothing new. */
	const PATIENCE = 25;

	/** Seconds after which the lock of a visit that died is free. Hosts end requests sooner. */
	const LEASE = 180;

	/** A longer answer of this site does not fit into a request. */
	const RESULT_BYTES = 400 * KB_IN_BYTES;

	public static function register(): void {
		add_filter( 'cron_schedules', array( __CLASS__, 'intervals' ) );
		add_action( self::EVENT, array( __CLASS__, 'visit' ) );
		add_action( 'admin_init', array( __CLASS__, 'visit_later' ) );
		register_deactivation_hook( DECOLA_FILE, array( __CLASS__, 'unschedule' ) );
	}

	public static function intervals( array $intervals ): array {
		$intervals['decola_quarter'] = array(
			'interval' => self::INTERVAL,
			'display'  => __( 'A cada 15 minutos', 'decola' ),
		);
		return $intervals;
	}

	public static function is_on(): bool {
		return 'auto' === Decola_Settings::all()['pickup'] && '' !== Decola_Settings::token() && '' !== Decola_Settings::address();
	}

	/** Adds or removes the event of WP-Cron, as was chosen. */
	public static function schedule(): void {
		$is_scheduled = (bool) wp_next_scheduled( self::EVENT );
		if ( self::is_on() && ! $is_scheduled ) {
			wp_schedule_event( time(), 'decola_quarter', self::EVENT );
		} elseif ( ! self::is_on() && $is_scheduled ) {
			self::unschedule();
		}
	}

	public static function unschedule(): void {
		wp_clear_scheduled_hook( self::EVENT );
	}

	/** Where WP-Cron does not work, visits to the dashboard ask, after their page was sent. */
	public static function visit_later(): void {
		if ( wp_doing_ajax() || wp_doing_cron() ) {
			return;
		}
		self::schedule();
		if ( self::is_on() && self::next() <= time() ) {
			add_action( 'shutdown', array( __CLASS__, 'visit_after_page' ), PHP_INT_MAX );
		}
	}

	public static function visit_after_page(): void {
		if ( function_exists( 'fastcgi_finish_request' ) ) {
			fastcgi_finish_request();
		}
		self::visit();
	}

	public static function visit(): void {
		self::ask( false );
	}

	/** @return int When a visit asks again, as seconds since 1970. */
	public static function next(): int {
		return Decola_Lock::time( 'pickup_due' );
	}

	/** @return array{asked_at:int,ok:bool,code:string,message:string,results:array[]} What came of the last request. */
	public static function state(): array {
		$saved = get_option( 'decola_pickup', array() );
		return ( is_array( $saved ) ? $saved : array() ) + array(
			'asked_at' => 0,
			'ok'       => true,
			'code'     => '',
			'message'  => '',
			'results'  => array(),
		);
	}

	/**
	 * Asks until nothing is left. Of several visits at once one asks.
	 *
	 * @param bool $is_forced Also before it is time.
	 * @return string|null What came of it; null when another visit asks, or it is not time.
	 */
	public static function ask( bool $is_forced ): ?string {
		if ( ! self::is_on() ) {
			self::unschedule();
			return null;
		}
		$key = Decola_Lock::acquire( 'pickup_lock', self::LEASE );
		if ( null === $key ) {
			return null;
		}
		try {
			if ( ! $is_forced && self::next() > time() ) {
				return null;
			}
			// Before the request: a visit that dies is not repeated at once.
			Decola_Lock::note_time( 'pickup_due', time() + self::INTERVAL - self::SLACK );
			return self::ask_until_done( $is_forced );
		} finally {
			Decola_Lock::release( 'pickup_lock', $key );
		}
	}

	private static function ask_until_done( bool $is_forced ): string {
		Decola_Schema::ensure();
		ignore_user_abort( true );
		$ends  = time() + self::PATIENCE;
		$count = 0;
		for ( $round = 1; $round <= self::ROUNDS; $round++ ) {
			wp_cache_delete( 'decola_pickup', 'options' );
			$state  = self::state();
			$takes  = $round < self::ROUNDS && time() < $ends;
			$answer = self::request( $state['results'], $takes, 1 === $round );
			if ( ! $answer['ok'] ) {
				self::note( $state, $answer );
				return $answer['message'];
			}
			$state['results'] = self::unaccepted( $state['results'], $answer['accepted'] );
			foreach ( $answer['operations'] as $operation ) {
				$state['results'][] = self::carry_out( $operation );
				++$count;
				// What was done is reported also when this visit dies now.
				self::save( $state );
			}
			$is_done = ! $answer['operations'] || ! $takes;
			if ( $is_done ) {
				break;
			}
		}
		if ( $answer['next_seconds'] > self::INTERVAL ) {
			Decola_Lock::note_time( 'pickup_due', time() + min( $answer['next_seconds'], DAY_IN_SECONDS ) - self::SLACK );
		}
		$answer['message'] = 0 === $count
			? __( 'Nada a buscar.', 'decola' )
			/* translators: %d: number of steps */
			: sprintf( _n( '%d tarefa feita.', '%d tarefas feitas.', $count, 'decola' ), $count );
		self::note( $state, $answer );
		if ( $is_forced ) {
			Decola_Diary::write( 'pickup', '', 200, '', $answer['message'] );
		}
		return $answer['message'];
	}

	/** Hands an event to the handler of events. */
	private static function carry_out( array $operation ): array {
		$answer = Decola_Receiver::handle(
			array(
				'id'        => $operation['id'],
				'timestamp' => $operation['timestamp'],
				'signature' => $operation['signature'],
			),
			$operation['body']
		);
		if ( strlen( (string) wp_json_encode( $answer['response'] ) ) > self::RESULT_BYTES ) {
			$answer = array(
				'status'   => 500,
				'response' => array(
					'decola' => 1,
					'ok'     => false,
					'code'   => 'internal',
				),
			);
		}
		return array( 'id' => $operation['id'] ) + $answer;
	}

	private static function unaccepted( array $results, array $accepted ): array {
		return array_values(
			array_filter(
				$results,
				function ( $result ) use ( $accepted ) {
					return ! in_array( $result['id'], $accepted, true );
				}
			)
		);
	}

	/** Asks for nothing: whether the service can be reached, and knows this site. */
	public static function probe(): array {
		return self::request( array(), false, true );
	}

	/**
	 * Sends a signed request.
	 *
	 * @return array{ok:bool,code:string,message:string,accepted:string[],operations:array[],next_seconds:int}
	 */
	private static function request( array $results, bool $takes, bool $tells ): array {
		$id   = 'msg_' . bin2hex( random_bytes( 16 ) );
		$time = (string) time();
		$body = (string) wp_json_encode(
			array(
				'type'      => 'pickup',
				'timestamp' => gmdate( 'c' ),
				'data'      => Decola_Site::versions() + array(
					'host'    => Decola_Site::key(),
					'take'    => $takes,
					'results' => array_slice( $results, 0, self::ROUNDS ),
				) + ( $tells ? array( 'capabilities' => Decola_Site::capabilities() ) : array() ),
			)
		);
		return self::read(
			wp_safe_remote_post(
				Decola_Settings::address() . '/webhooks/wordpress',
				array(
					'timeout'             => 15,
					'redirection'         => 0,
					'limit_response_size' => MB_IN_BYTES,
					'user-agent'          => 'Decola-Plugin/' . DECOLA_VERSION,
					'body'                => $body,
					'headers'             => array(
						'Content-Type'      => 'application/json',
						'webhook-id'        => $id,
						'webhook-timestamp' => $time,
						'webhook-signature' => Decola_Signature::sign( Decola_Settings::token(), $id, $time, $body ),
					),
				)
			)
		);
	}

	/** @param array|WP_Error $response */
	private static function read( $response ): array {
		if ( is_wp_error( $response ) ) {
			/* translators: %s: message of WordPress */
			return self::failure( 'unreachable', sprintf( __( 'Este site não alcança o endereço do serviço: %s', 'decola' ), $response->get_error_message() ) );
		}
		$status = (int) wp_remote_retrieve_response_code( $response );
		$answer = json_decode( wp_remote_retrieve_body( $response ), true );
		if ( 401 === $status ) {
			return self::unauthorized( (string) wp_remote_retrieve_header( $response, 'date' ) );
		}
		if ( 200 !== $status || ! is_array( $answer ) || ! isset( $answer['decola'], $answer['operations'] ) || ! is_array( $answer['operations'] ) ) {
			/* translators: %d: HTTP status */
			return self::failure( 429 === $status || $status >= 500 ? 'unavailable' : 'not_service', sprintf( __( 'O endereço do serviço não respondeu como esperado (resposta %d).', 'decola' ), $status ) );
		}
		return array(
			'ok'           => true,
			'code'         => '',
			'message'      => '',
			'accepted'     => isset( $answer['accepted'] ) && is_array( $answer['accepted'] ) ? $answer['accepted'] : array(),
			'operations'   => array_values( array_filter( $answer['operations'], array( __CLASS__, 'is_operation' ) ) ),
			'next_seconds' => isset( $answer['next_seconds'] ) ? absint( $answer['next_seconds'] ) : self::INTERVAL,
		);
	}

	/** @param mixed $operation */
	public static function is_operation( $operation ): bool {
		foreach ( array( 'id', 'timestamp', 'signature', 'body' ) as $member ) {
			if ( ! is_array( $operation ) || ! isset( $operation[ $member ] ) || ! is_string( $operation[ $member ] ) ) {
				return false;
			}
		}
		return true;
	}

	/** The service says nothing about the reason: a stranger would learn it, too. Its clock is in every answer. */
	private static function unauthorized( string $date ): array {
		$difference = '' === $date ? 0 : time() - (int) strtotime( $date );
		if ( abs( $difference ) > Decola_Signature::TOLERANCE ) {
			/* translators: %d: minutes */
			return self::failure( 'clock', sprintf( __( 'O relógio do seu servidor está %d min errado', 'decola' ), (int) round( abs( $difference ) / 60 ) ) );
		}
		return self::failure( 'token', __( 'O serviço não reconheceu este site. Confira o token e, no assistente da automação de blog, o endereço do site.', 'decola' ) );
	}

	private static function failure( string $code, string $message ): array {
		return array(
			'ok'           => false,
			'code'         => $code,
			'message'      => $message,
			'accepted'     => array(),
			'operations'   => array(),
			'next_seconds' => self::INTERVAL,
		);
	}

	/** The diary holds 200 events: of requests that fail alike, or work, only the first one is written. */
	private static function note( array $state, array $answer ): void {
		if ( $answer['code'] !== $state['code'] ) {
			Decola_Diary::write( 'pickup', '', $answer['ok'] ? 200 : 502, $answer['code'], $answer['ok'] ? __( 'A busca de artigos voltou a funcionar', 'decola' ) : $answer['message'] );
		}
		self::save(
			array(
				'asked_at' => time(),
				'ok'       => $answer['ok'],
				'code'     => $answer['code'],
				'message'  => $answer['message'],
				'results'  => $state['results'],
			)
		);
	}

	private static function save( array $state ): void {
		update_option( 'decola_pickup', $state, false );
	}
}
