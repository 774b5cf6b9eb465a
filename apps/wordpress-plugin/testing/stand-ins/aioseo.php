<?php
/** What the plugin uses of All in One SEO: a model of a row in a table of its own. */
namespace AIOSEO\Plugin\Common\Models;

class Post {
	public $post_id;
	public $title;
	public $description;
	public $keyphrases;

	public static function getPost( $post_id ) {
		$post          = new self();
		$post->post_id = $post_id;
		foreach ( (array) get_option( 'stand_in_aioseo_' . $post_id, array() ) as $name => $value ) {
			$post->$name = $value;
		}
		return $post;
	}

	public function save() {
		update_option( 'stand_in_aioseo_' . $this->post_id, array( 'title' => $this->title, 'description' => $this->description, 'keyphrases' => $this->keyphrases ) );
	}
}
